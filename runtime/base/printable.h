// Part of the door of runtime/base: what others wrote, on a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lbhm {

/// Text as it may stand in one line of a terminal: control characters, line breaks and turns of direction of Unicode,
/// and bytes that are no UTF-8 become escapes (\n, \x1b, \u202e). The rest stays, backslashes too.
std::string printable(std::string_view text);
/// The same without allocating: as much as has room in `out`. Returns its length.
std::size_t printable(std::string_view text, std::span<char> out);

/// One line on standard error, in one write and without allocating: `speaker`, then the sentence, printable. Of more
/// than 4 KiB the middle is left out.
void print_line(std::string_view speaker, std::string_view sentence);

}  // namespace lbhm
