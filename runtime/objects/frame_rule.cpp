#include "runtime/objects/frame_rule.h"

#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include "runtime/objects/frame_lines.h"

// Of libgcc, which has no header for it (unwind-dw2-fde.h).
extern "C" {
struct dwarf_eh_bases {
  void *text, *data, *function;
};
const void* _Unwind_Find_FDE(void* code, dwarf_eh_bases* bases);
}

namespace lbhm {

using namespace frame_table;

namespace {

/// Bytes of a pointer in this encoding (DW_EH_PE_*); 0: it has no fixed size.
std::uint64_t pointer_bytes(unsigned encoding) {
  constexpr std::array<std::uint64_t, 8> bytes{8, 0, 2, 4, 8, 0, 0, 0};
  return bytes[encoding & 7];
}

/// Marks the reader as bad for what we do not know, as frames of signals.
Common read_common(Reader& reader) {
  Common common;
  reader.take(4);  // its id
  const auto version = reader.number<unsigned char>();
  std::array<char, 8> letters{};
  for (char& letter : letters)
    if ((letter = reader.number<char>()) == '\0') break;
  const std::string_view augmentation(letters.data(), strnlen(letters.data(), letters.size()));
  common.code_step = reader.unsigned_number();
  common.data_step = reader.signed_number();
  const std::uint64_t column = version == 1 ? reader.number<unsigned char>() : reader.unsigned_number();
  if (augmentation.size() == letters.size() || column != return_address) reader.fail();
  common.sized = augmentation.starts_with('z');
  if (!common.sized && !augmentation.empty()) reader.fail();
  Reader data(common.sized ? reader.take(reader.unsigned_number()) : Table{});
  for (const char letter : augmentation.substr(common.sized ? 1 : 0)) {
    const auto encoding = data.number<unsigned char>();
    if (letter == 'R') common.pointer = pointer_bytes(encoding);
    if (letter == 'P') data.take(pointer_bytes(encoding));
    if (letter != 'R' && letter != 'P' && letter != 'L') reader.fail();
  }
  if (data.bad() || common.pointer == 0) reader.fail();
  common.instructions = reader.rest();
  return common;
}

template <class Small>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<Small>::min() && value <= std::numeric_limits<Small>::max();
}

FrameRule rule_of(const Line& line) {
  using Saved = Line::Saved;
  const Saved &back = line.return_address, &pointer = line.frame_pointer;
  if (back.how == Saved::undefined) return {.base = FrameRule::Base::outermost};
  const bool usual = !line.computed && back.how == Saved::at && back.offset == -8;
  const bool known = pointer.how == Saved::own || (pointer.how == Saved::at && fits<std::int16_t>(pointer.offset));
  if (!usual || !known || !fits<std::int32_t>(line.size)) return {};
  if (line.base != frame_pointer && line.base != stack_pointer) return {};
  return {.base = line.base == frame_pointer ? FrameRule::Base::frame_pointer : FrameRule::Base::stack_pointer,
          .saves_frame_pointer = pointer.how == Saved::at,
          .saved = static_cast<std::int16_t>(pointer.offset),
          .size = static_cast<std::int32_t>(line.size)};
}

/// A table with its length in front; empty if it is of the 64-bit format, which nobody writes.
Table table_at(const unsigned char* at) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes == UINT32_MAX ? Table{} : Table(at + sizeof bytes, bytes);
}

}  // namespace

FrameRule frame_rule(Table common_table, Table function_table, std::uint64_t offset) {
  Reader common_reader(common_table), reader(function_table);
  const Common common = read_common(common_reader);
  if (common_reader.bad()) return {};
  reader.take(4 + 2 * common.pointer);  // where the CIE is, and the range of code
  if (common.sized) reader.take(reader.unsigned_number());
  Lines lines(common, offset);
  if (reader.bad() || !lines.run(common.instructions) || !lines.run(reader.rest())) return {};
  return rule_of(lines.line);
}

FrameRule frame_rule(std::uintptr_t address) {
  const std::uintptr_t call = address - 1;  // what follows a call that never returns may be another function
  dwarf_eh_bases bases{};
  const auto* const found = static_cast<const unsigned char*>(_Unwind_Find_FDE(reinterpret_cast<void*>(call), &bases));
  if (found == nullptr) return {};
  const Table function = table_at(found);
  std::int32_t back = 0;
  if (function.size() < sizeof back) return {};
  std::memcpy(&back, function.data(), sizeof back);
  return frame_rule(table_at(function.data() - back), function,
                    call - reinterpret_cast<std::uintptr_t>(bases.function));
}

}  // namespace lbhm
