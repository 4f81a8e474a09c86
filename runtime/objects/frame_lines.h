// Of this room alone: the instructions that make up a function's table (frame_rule.h).
//
// One line of a table holds for a stretch of code: where the caller's frame begins, and where it keeps which register.
// Instructions go from one line to the next (DWARF 5, section 6.4.2; the numbers are those of section 7.24).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace lbhm::frame_table {

using Table = std::span<const unsigned char>;

/// DWARF's numbers of registers of x86-64.
constexpr std::uint64_t frame_pointer = 6, stack_pointer = 7, return_address = 16;

/// Reads a table from its begin to its end, and is bad from the first byte on that is not there.
class Reader {
 public:
  explicit Reader(Table rest) : rest_(rest) {}

  bool bad() const { return bad_; }
  bool at_end() const { return bad_ || rest_.empty(); }
  void fail() { bad_ = true; }
  Table rest() const { return rest_; }

  Table take(std::uint64_t bytes) {
    bad_ = bad_ || bytes > rest_.size();
    if (bad_) return {};
    const Table taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  template <class Number>
  Number number() {
    Number value{};
    if (const Table bytes = take(sizeof value); !bad_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::uint64_t unsigned_number() { return leb(false); }
  std::int64_t signed_number() { return static_cast<std::int64_t>(leb(true)); }

 private:
  std::uint64_t leb(bool with_sign) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = number<unsigned char>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte & 0x80) continue;
      if (with_sign && (byte & 0x40) && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
      return value;
    }
    fail();
    return 0;
  }

  Table rest_;
  bool bad_ = false;
};

/// What the CIE says of all its functions.
struct Common {
  std::uint64_t code_step = 1;
  std::int64_t data_step = 1;
  bool sized = false;         ///< FDEs have a block of data behind their range
  std::uint64_t pointer = 8;  ///< bytes of an address in an FDE
  Table instructions;
};

/// One line of a function's table.
struct Line {
  std::uint64_t base = stack_pointer;
  std::int64_t size = 0;
  bool computed = false;  ///< by an expression
  struct Saved {
    enum { own, at, undefined, elsewhere } how = own;
    std::int64_t offset = 0;
  } frame_pointer{}, return_address{};

  Saved* of(std::uint64_t number) {
    if (number == frame_table::frame_pointer) return &frame_pointer;
    return number == frame_table::return_address ? &return_address : nullptr;
  }
};

/// Carries out instructions until they are at the line of `offset`.
class Lines {
 public:
  Lines(const Common& common, std::uint64_t offset) : common_(common), offset_(offset) {}

  Line line{};

  /// False: they are damaged, or none that we know.
  bool run(Table instructions) {
    first_ = line;
    Reader reader(instructions);
    while (!reader.at_end() && at_ <= offset_) step(reader);
    return !reader.bad();
  }

 private:
  void save(std::uint64_t number, Line::Saved saved) {
    if (Line::Saved* const known = line.of(number)) *known = saved;
  }
  void advance(std::uint64_t by) { at_ += by * common_.code_step; }
  void at(std::uint64_t number, std::int64_t factor) {
    std::int64_t offset = 0;
    const bool too_far = __builtin_mul_overflow(factor, common_.data_step, &offset);
    save(number, {.how = too_far ? Line::Saved::elsewhere : Line::Saved::at, .offset = offset});
  }
  void restore(std::uint64_t number) {
    if (const Line::Saved* const known = first_.of(number)) save(number, *known);
  }
  void step(Reader& reader) {
    const auto code = reader.number<unsigned char>();
    const std::uint64_t low = code & 0x3f;
    if (code >> 6 == 1) return advance(low);
    if (code >> 6 == 2) return at(low, static_cast<std::int64_t>(reader.unsigned_number()));
    if (code >> 6 == 3) return restore(low);
    if (code <= 0x0b) return of_registers(code, reader);
    if (code <= 0x0f || code == 0x12 || code == 0x13) return of_base(code, reader);
    of_saved(code, reader);
  }
  void of_registers(unsigned code, Reader& reader) {
    if (code == 0x00) return;                                         // nop
    if (code == 0x02) return advance(reader.number<std::uint8_t>());  // advance_loc1, 2, 4
    if (code == 0x03) return advance(reader.number<std::uint16_t>());
    if (code == 0x04) return advance(reader.number<std::uint32_t>());
    if (code == 0x0a || code == 0x0b) return remember(code == 0x0a, reader);  // remember_state, restore_state
    const std::uint64_t number = reader.unsigned_number();
    if (code == 0x05) return at(number, static_cast<std::int64_t>(reader.unsigned_number()));  // offset_extended
    if (code == 0x06) return restore(number);                                                  // restore_extended
    if (code == 0x07) return save(number, {.how = Line::Saved::undefined});                    // undefined
    if (code == 0x08) return save(number, {});                                                 // same_value
    save(number, {.how = Line::Saved::elsewhere});                                             // register
    reader.unsigned_number();
    if (code == 0x01) reader.fail();  // set_loc
  }
  void remember(bool keep, Reader& reader) {
    if (keep ? kept_ == stack_.size() : kept_ == 0) return reader.fail();
    if (keep) {
      stack_[kept_++] = line;
    } else {
      line = stack_[--kept_];
    }
  }
  void base(std::uint64_t number, std::int64_t size) {
    line.base = number;
    line.size = size;
    line.computed = false;
  }
  void of_base(unsigned code, Reader& reader) {
    const auto scaled = [&] {
      std::int64_t size = 0;
      if (__builtin_mul_overflow(reader.signed_number(), common_.data_step, &size)) reader.fail();
      return size;
    };
    const auto plain = [&] { return static_cast<std::int64_t>(reader.unsigned_number()); };
    switch (code) {
      case 0x0c: {  // def_cfa
        const std::uint64_t number = reader.unsigned_number();
        return base(number, plain());
      }
      case 0x0d:
        return base(reader.unsigned_number(), line.size);  // def_cfa_register
      case 0x0e:
        return base(line.base, plain());  // def_cfa_offset
      case 0x0f: {                        // def_cfa_expression
        line.computed = true;
        reader.take(reader.unsigned_number());
        return;
      }
      case 0x12: {  // def_cfa_sf
        const std::uint64_t number = reader.unsigned_number();
        return base(number, scaled());
      }
      default:
        return base(line.base, scaled());  // def_cfa_offset_sf
    }
  }
  void of_saved(unsigned code, Reader& reader) {
    switch (code) {
      case 0x10:    // expression
      case 0x16: {  // val_expression
        save(reader.unsigned_number(), {.how = Line::Saved::elsewhere});
        reader.take(reader.unsigned_number());
        return;
      }
      case 0x11: {  // offset_extended_sf
        const std::uint64_t number = reader.unsigned_number();
        return at(number, reader.signed_number());
      }
      case 0x14:  // val_offset
      case 0x15:  // val_offset_sf
        save(reader.unsigned_number(), {.how = Line::Saved::elsewhere});
        reader.unsigned_number();
        return;
      case 0x2e:  // GNU_args_size: of arguments that the call itself has pushed
        reader.unsigned_number();
        return;
      default:
        reader.fail();
    }
  }

  const Common& common_;
  const std::uint64_t offset_;
  std::uint64_t at_ = 0;
  Line first_{};
  std::array<Line, 8> stack_{};
  std::size_t kept_ = 0;
};

}  // namespace lbhm::frame_table
