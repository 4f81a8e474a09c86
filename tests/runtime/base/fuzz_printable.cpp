// libFuzzer target: whatever a text is, what is printed of it is UTF-8 without control characters, stays as it is when
// it is made printable again, and without room is the beginning of it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/base/printable.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string line = lbhm::printable(text);
  const bool control = std::ranges::any_of(line, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; });
  if (control || lbhm::printable(line) != line) std::abort();
  (void)nlohmann::json(line).dump();  // throws for what is no UTF-8
  std::array<char, 40> room{};
  const std::size_t length = lbhm::printable(text, room);
  if (length > room.size() || !line.starts_with(std::string_view(room.data(), length))) std::abort();
  if (length + 6 < std::min(line.size(), room.size())) std::abort();
  return 0;
}
