// libFuzzer target: whatever lbhm-choose is sent, it answers with a tier for each unit, or complains.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/placement/choose/choose_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto answer = lbhm::choose::answer({reinterpret_cast<const char*>(data), size});
  if (answer) return answer->starts_with('{') ? 0 : (std::abort(), 0);
  return answer.error().message().empty() ? (std::abort(), 0) : 0;
}
