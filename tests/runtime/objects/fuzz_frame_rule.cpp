// Tables of frames: any bytes give a rule or none, and the same one each time.
#include <cstring>

#include "runtime/objects/frame_rule.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size < 2) return 0;
  const std::span<const unsigned char> all(data, size);
  const std::size_t first = std::min<std::size_t>(all[0], size - 2);
  const auto common = all.subspan(2, first), function = all.subspan(2 + first);
  const lbhm::FrameRule once = lbhm::frame_rule(common, function, all[1]);
  const lbhm::FrameRule again = lbhm::frame_rule(common, function, all[1]);
  if (std::memcmp(&once, &again, sizeof once) != 0) __builtin_trap();
  return 0;
}
