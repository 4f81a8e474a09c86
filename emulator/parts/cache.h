// A table of lines: set-associative, least recently used line out first, write-back. Caches, TLB and device buffers.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "emulator/base/private_memory.h"
#include "emulator/parts/rows.h"

namespace lbhm::emulator {

/// A cache line as one core numbers it: (frame << 6) | line in the page. Frame 0 is never used, so lines start at 64.
using LineId = std::uint32_t;
inline constexpr unsigned line_id_bits = 31;  // one bit of the tag says "dirty"
inline constexpr LineId no_line = 0;

/// Any number of sets; a power of two is faster.
struct CacheShape {
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
};

/// A set is a row of tags, the most recent one first. A tag is (line << 1) | dirty; 0 is an empty way. A row is written
/// as it is read, as a whole: narrow stores would make the next wide load wait.
class Cache {
 private:
  using Tag [[gnu::may_alias]] = std::uint32_t;
  template <std::uint32_t N>
  using Row = SimdVector<Tag, N>;

  /// Calls `action` with the number of lanes of a row, which the code for it has to know.
  template <class Action>
  [[gnu::always_inline]] auto with_length(Action action) const {
    if (lanes_ == 16) return action.template operator()<16>();
    if (lanes_ == 8) return action.template operator()<8>();
    return action.template operator()<32>();
  }

 public:
  struct Outcome {
    bool hit = false;
    bool victim_dirty = false;
    LineId victim = no_line;  ///< what the line pushed out; no_line if a way was empty
  };

  explicit Cache(CacheShape shape)
      : ways_(shape.ways),
        lanes_(shape.ways <= 8    ? 8
               : shape.ways <= 16 ? 16
                                  : 32),
        sets_(shape.sets),
        set_mask_(std::has_single_bit(shape.sets) ? shape.sets - 1 : 0),
        way_mask_(static_cast<std::uint32_t>((std::uint64_t{1} << shape.ways) - 1)),
        tags_(std::size_t{shape.sets} * lanes_) {}

  /// Brings the line in as the most recent one of its set, if it is not there yet.
  [[gnu::always_inline]] Outcome access(LineId line, bool write) {
    Tag* row = row_of(line);
    return with_length([&]<std::uint32_t N>() __attribute__((always_inline)) {
      return access_row<N>(row, line << 1, static_cast<Tag>(write));
    });
  }

  /// A dirty line came from the level above. False if it is not here; its recency stays as it is.
  [[gnu::always_inline]] bool mark_dirty(LineId line) {
    const std::uint32_t matches = find(line);
    if (matches == 0) return false;
    row_of(line)[std::countr_zero(matches)] |= 1;
    return true;
  }

  bool contains(LineId line) { return find(line) != 0; }

  /// The line is dropped, dirty or not. True if it was here.
  bool remove(LineId line) {
    const Tag key = line << 1;
    Tag* row = row_of(line);
    unsigned kept = 0;
    for (unsigned way = 0; way < ways_; ++way) {
      if ((row[way] & ~Tag{1}) != key) row[kept++] = row[way];
    }
    if (kept == ways_) return false;
    row[kept] = 0;
    return true;
  }

  /// Drops the oldest line of the set that `line` belongs to, if the set holds more than `most` lines.
  Outcome trim(LineId line, unsigned most) {
    Tag* row = row_of(line);
    unsigned held = 0;
    while (held < ways_ && row[held] != 0) ++held;
    if (held <= most) return {};
    const Tag victim = std::exchange(row[held - 1], 0);
    return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
  }

  std::uint32_t set_of(LineId line) const {
    if (set_mask_ != 0) [[likely]]
      return line & set_mask_;
    return line % sets_;
  }

  void clear() { tags_.clear(); }

 private:
  Tag* row_of(LineId line) { return tags_.data() + std::size_t{set_of(line)} * lanes_; }

  /// Bit i is set if way i holds the line, clean or dirty.
  [[gnu::always_inline]] std::uint32_t find(LineId line) {
    const Tag* row = row_of(line);
    return with_length([&]<std::uint32_t N>() __attribute__((always_inline)) {
      return find<N>(*reinterpret_cast<const Row<N>*>(row), line << 1);
    });
  }
  template <std::uint32_t N>
  [[gnu::always_inline]] std::uint32_t find(const Row<N>& tags, Tag key) const {
    return static_cast<std::uint32_t>(bits_of<N>((tags & ~Tag{1}) == key)) & way_mask_;
  }

  template <std::uint32_t N>
  [[gnu::always_inline]] Outcome access_row(Tag* row, Tag key, Tag dirty) const {
    Row<N>& tags = *reinterpret_cast<Row<N>*>(row);
    Row<N> moved = tags;
    const std::uint32_t matches = find<N>(moved, key);
    if (matches == 0) {
      const Tag victim = row[ways_ - 1];
      shift_up<Tag, N>(moved, key | dirty);
      tags = moved;
      return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
    }
    // The line goes to the top, and those above it move down by one.
    const auto way = static_cast<Tag>(std::countr_zero(matches));
    shift_up<Tag, N>(moved, row[way] | dirty);
    tags = places<Tag, N> <= way ? moved : tags;
    return {.hit = true};
  }

  std::uint32_t ways_;
  std::uint32_t lanes_;  // of a row; what is beyond its ways has no meaning
  std::uint32_t sets_;
  std::uint32_t set_mask_;  // 0: the sets are no power of two, or one
  std::uint32_t way_mask_;
  ZeroedTable<Tag> tags_;
};

}  // namespace lbhm::emulator
