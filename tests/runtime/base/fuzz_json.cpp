// libFuzzer target: whatever a JSON text is, it becomes a value of at most the levels and values that are allowed, or
// one complaint of one line. The first byte chooses the limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runtime/base/json.h"
#include "runtime/base/printable.h"

namespace {

int levels_of(const nlohmann::json& value) {
  int deepest = 0;
  if (value.is_structured())
    for (const auto& member : value) deepest = std::max(deepest, levels_of(member));
  return deepest + static_cast<int>(value.is_structured());
}

std::size_t values_of(const nlohmann::json& value) {
  std::size_t values = 1;
  if (value.is_structured())
    for (const auto& member : value) values += values_of(member);
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const lbhm::JsonLimits limits{.levels = data[0] % 64, .values = 16u + data[0]};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto json = lbhm::parse_json(text, limits);
  if (!json) {
    const std::string& said = json.error().message();
    if (said.empty() || said.size() > 1000 || lbhm::printable(said) != said) std::abort();
  } else if (levels_of(*json) > limits.levels || values_of(*json) > limits.values) {
    std::abort();
  }
  return 0;
}
