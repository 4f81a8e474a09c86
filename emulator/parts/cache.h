// A table of lines: set-associative, least recently used line out first, write-back. Caches, TLB and device buffers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "emulator/base/private_memory.h"

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

/// A set is a row of tags, the most recent one first. A tag is (line << 1) | dirty; 0 is an empty way.
///
/// The host cannot foresee which way hits. So nothing branches on the way, and a row is written as it is read, in whole
/// groups: narrow stores would make the next wide load wait.
class Cache {
 private:
  using Tag [[gnu::may_alias]] = std::uint32_t;
  static constexpr std::uint32_t group_size = 8;
  using Group = Tag __attribute__((vector_size(4 * group_size)));
  using Bits = bool __attribute__((ext_vector_type(group_size)));

  /// Calls `action` with the number of groups of a row if it is a usual one, so that its loops have a known length;
  /// else with 0.
  template <class Action>
  [[gnu::always_inline]] auto with_length(Action action) const {
    switch (groups_) {
      case 1:
        return action.template operator()<1>();
      case 2:
        return action.template operator()<2>();
      case 3:
        return action.template operator()<3>();
      case 4:
        return action.template operator()<4>();
      default:
        return action.template operator()<0>();
    }
  }

 public:
  struct Outcome {
    bool hit = false;
    bool victim_dirty = false;
    LineId victim = no_line;  ///< what the line pushed out; no_line if a way was empty
  };

  explicit Cache(CacheShape shape)
      : ways_(shape.ways),
        groups_((shape.ways + group_size - 1) / group_size),
        sets_(shape.sets),
        set_mask_(std::has_single_bit(shape.sets) ? shape.sets - 1 : 0),
        way_mask_(static_cast<std::uint32_t>((std::uint64_t{1} << shape.ways) - 1)),
        tags_(std::size_t{shape.sets} * groups_) {}

  /// Brings the line in as the most recent one of its set, if it is not there yet.
  [[gnu::always_inline]] Outcome access(LineId line, bool write) {
    Group* row = row_of(line);
    return with_length([&]<std::uint32_t Groups>()
                           __attribute__((always_inline)) { return access_row<Groups>(row, line << 1, write); });
  }

  /// A dirty line came from the level above. False if it is not here; its recency stays as it is.
  [[gnu::always_inline]] bool mark_dirty(LineId line) {
    Group* row = row_of(line);
    const std::uint32_t matches = with_length(
        [&]<std::uint32_t Groups>() __attribute__((always_inline)) { return find<Groups>(row, line << 1); });
    if (matches == 0) return false;
    tag(row, static_cast<unsigned>(std::countr_zero(matches))) |= 1;
    return true;
  }

  bool contains(LineId line) {
    Group* row = row_of(line);
    return with_length([&]<std::uint32_t Groups>()
                           __attribute__((always_inline)) { return find<Groups>(row, line << 1); }) != 0;
  }

  /// The line is dropped, dirty or not. True if it was here.
  bool remove(LineId line) {
    const Tag key = line << 1;
    Group* row = row_of(line);
    unsigned kept = 0;
    for (unsigned way = 0; way < ways_; ++way) {
      if ((tag(row, way) & ~Tag{1}) != key) tag(row, kept++) = tag(row, way);
    }
    if (kept == ways_) return false;
    tag(row, kept) = 0;
    return true;
  }

  /// Drops the oldest line of the set that `line` belongs to, if the set holds more than `most` lines.
  Outcome trim(LineId line, unsigned most) {
    Group* row = row_of(line);
    unsigned held = 0;
    while (held < ways_ && tag(row, held) != 0) ++held;
    if (held <= most) return {};
    const Tag victim = std::exchange(tag(row, held - 1), 0);
    return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
  }

  std::uint32_t set_of(LineId line) const { return set_mask_ != 0 ? line & set_mask_ : line % sets_; }

  void clear() { tags_.clear(); }

 private:
  Group* row_of(LineId line) { return tags_.data() + std::size_t{set_of(line)} * groups_; }
  static Tag& tag(Group* row, unsigned way) { return reinterpret_cast<Tag*>(row)[way]; }

  template <std::uint32_t Groups>
  std::uint32_t count() const {
    return Groups != 0 ? Groups : groups_;
  }

  template <std::uint32_t Groups>
  [[gnu::always_inline]] Outcome access_row(Group* row, Tag key, bool write) const {
    const std::uint32_t matches = find<Groups>(row, key);
    if (matches == 0) {
      const Tag victim = tag(row, ways_ - 1);
      move_down<Groups>(row, key | static_cast<Tag>(write), ~std::uint32_t{0});
      return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
    }
    const auto way = static_cast<unsigned>(std::countr_zero(matches));
    const Tag first = tag(row, way) | static_cast<Tag>(write);
    move_down<Groups>(row, first, way);
    return {.hit = true};
  }

  /// Bit i is set if way i holds `key`, clean or dirty.
  template <std::uint32_t Groups>
  [[gnu::always_inline]] std::uint32_t find(const Group* row, Tag key) const {
    std::uint32_t matches = 0;
    for (std::uint32_t g = 0; g < count<Groups>(); ++g) {
      const Bits bits = __builtin_convertvector((row[g] & ~Tag{1}) == key, Bits);
      std::uint8_t mask = 0;
      std::memcpy(&mask, &bits, sizeof(bits));
      matches |= std::uint32_t{mask} << (group_size * g);
    }
    return matches & way_mask_;
  }

  /// `first` goes to the top; the ways up to `last_moved` take what stood above them.
  template <std::uint32_t Groups>
  [[gnu::always_inline]] void move_down(Group* row, Tag first, std::uint32_t last_moved) const {
    Group above = Group{0, 0, 0, 0, 0, 0, 0, first};
    Group index = Group{0, 1, 2, 3, 4, 5, 6, 7};
    for (std::uint32_t g = 0; g < count<Groups>(); ++g, index += group_size) {
      const Group tags = row[g];
      const Group moved = __builtin_shufflevector(above, tags, 7, 8, 9, 10, 11, 12, 13, 14);
      row[g] = index <= last_moved ? moved : tags;
      above = tags;
    }
  }

  std::uint32_t ways_;
  std::uint32_t groups_;  // in a row
  std::uint32_t sets_;
  std::uint32_t set_mask_;  // 0: the sets are no power of two, or one
  std::uint32_t way_mask_;  // a row may be longer than a set; what is beyond has no meaning
  ZeroedTable<Group> tags_;
};

}  // namespace lbhm::emulator
