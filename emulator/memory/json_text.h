// Texts in the file of exact counts, which is written without a library of JSON.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace lbhm::emulator {

/// As JSON has it.
inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    std::array<char, 8> code{};
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') out += '\\';
    if (byte < 0x20) std::snprintf(code.data(), code.size(), "\\u%04x", byte);
    out += byte < 0x20 ? code.data() : std::string(1, letter);
  }
  return out + '"';
}

}  // namespace lbhm::emulator
