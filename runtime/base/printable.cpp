#include "runtime/base/printable.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "runtime/base/file_calls.h"

namespace lbhm {
namespace {

/// A character of UTF-8 at the beginning of a text; length 0: there is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  static constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[length] || code > 0x10ffff || surrogate) return {};
  return {code, length};
}

/// Moves the cursor, breaks the line, or turns the direction of what follows.
bool controls(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

struct Escape {
  std::array<char, 6> text{};
  std::size_t length = 0;
};

Escape escape_of(std::uint32_t code) {
  if (code == '\n') return {{'\\', 'n'}, 2};
  if (code == '\t') return {{'\\', 't'}, 2};
  if (code == '\r') return {{'\\', 'r'}, 2};
  const auto digit = [code](int shift) { return "0123456789abcdef"[code >> shift & 15]; };
  if (code > 0xff) return {{'\\', 'u', digit(12), digit(8), digit(4), digit(0)}, 6};
  return {{'\\', 'x', digit(4), digit(0)}, 4};
}

/// Calls `put` with one printable character or escape after the other, until it says false.
template <class Put>
void each_printable(std::string_view text, Put put) {
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t taken = std::max<std::size_t>(character.length, 1);
    const bool plain = character.length > 0 && !controls(character.code);
    const Escape escape =
        plain ? Escape() : escape_of(character.length > 0 ? character.code : static_cast<unsigned char>(text[0]));
    if (!put(plain ? text.substr(0, taken) : std::string_view(escape.text.data(), escape.length))) return;
    text.remove_prefix(taken);
  }
}

constexpr std::size_t longest_line = 4096;  // a pipe takes so much at once (PIPE_BUF)

/// As much of a long sentence's end, where the remedy stands, as surely has room.
std::string_view end_of(std::string_view sentence, std::size_t room) {
  constexpr std::size_t longest_escape = 4;  // of one byte
  std::string_view end = sentence.substr(sentence.size() - std::min(sentence.size(), room / longest_escape));
  while (!end.empty() && (static_cast<unsigned char>(end[0]) & 0xc0) == 0x80) end.remove_prefix(1);
  return end;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string line;
  each_printable(text, [&](std::string_view part) {
    line += part;
    return true;
  });
  return line;
}

std::size_t printable(std::string_view text, std::span<char> out) {
  std::size_t length = 0;
  each_printable(text, [&](std::string_view part) {
    if (length + part.size() > out.size()) return false;
    std::memcpy(out.data() + length, part.data(), part.size());
    length += part.size();
    return true;
  });
  return length;
}

void print_line(std::string_view speaker, std::string_view sentence) {
  static constexpr std::string_view gap = " ... ";
  const int before = errno;
  std::array<char, longest_line> line;
  const std::span<char> room(line.data(), line.size() - 1);
  std::size_t length = printable(speaker, room);
  if (sentence.size() <= longest_line / 8) {
    length += printable(sentence, room.subspan(length));
  } else {
    const std::size_t half = (room.size() - length - gap.size()) / 2;
    const std::size_t whole = printable(sentence, room.subspan(length));
    const bool fits = length + whole + 6 < room.size();
    length += fits ? whole : printable(sentence, room.subspan(length, half));
    if (!fits) {
      std::memcpy(line.data() + length, gap.data(), gap.size());
      length += gap.size();
      length += printable(end_of(sentence, half), room.subspan(length));
    }
  }
  line[length++] = '\n';
  const files::WriteSignalsOff no_signals;  // standard error may be a pipe that nobody reads any more
  // There is nobody to tell if it is closed.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), length);
  errno = before;
}

}  // namespace lbhm
