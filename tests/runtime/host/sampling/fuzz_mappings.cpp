// libFuzzer target: whatever stands in a line of /proc/self/maps, it is a mapping with bytes in it, or none.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "runtime/host/sampling/mappings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mapping = lbhm::sampling::parse_mapping({reinterpret_cast<const char*>(data), size});
  if (!mapping) return 0;
  if (mapping->end <= mapping->first || mapping->protection > 7) std::abort();
  const std::vector mappings{*mapping};
  const bool found = lbhm::sampling::find_mapping(mappings, mapping->end - 1) != nullptr &&
                     lbhm::sampling::find_mapping(mappings, mapping->end) == nullptr;
  return found ? 0 : (std::abort(), 0);
}
