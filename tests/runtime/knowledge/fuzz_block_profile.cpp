// libFuzzer target: whatever is in a profile, the reader returns times of 0 ns or more, or one complaint that names
// the file.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/knowledge/block_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto profile = lbhm::parse_profile(text, "fuzz.json");
  if (!profile) {
    const bool named = profile.error().message().find("fuzz.json") != std::string::npos;
    if (profile.error().code() != lbhm::StatusCode::malformed || !named) std::abort();
    return 0;
  }
  for (const auto& [id, module] : profile->modules) {
    for (const auto& time : module.times) {
      if (!std::isfinite(time.slow.value + time.fast.value) || time.slow.value < 0 || time.fast.value < 0) std::abort();
    }
  }
  return 0;
}
