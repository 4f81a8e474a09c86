// One level of a private cache: set-associative, least recently used line out first, write-back.
#pragma once

#include <cstdint>

#include "emulator/private_memory.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lbhm::emulator {

/// A cache line as one core numbers it: (frame << 6) | line in the page. Frame 0 is never used, so lines start at 64.
using LineId = std::uint32_t;
inline constexpr unsigned line_id_bits = 31;  // one bit of the tag says "dirty"
inline constexpr LineId no_line = 0;

/// sets: a power of two.
struct CacheShape {
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
};

/// A set is a row of tags, the most recent one first. A tag is (line << 1) | dirty; 0 is an empty way.
class Cache {
 public:
  struct Outcome {
    bool hit = false;
    bool victim_dirty = false;
    LineId victim = no_line;  ///< what the line pushed out; no_line if a way was empty
  };

  explicit Cache(CacheShape shape)
      : ways_(shape.ways),
        groups_((shape.ways + 3) / 4),
        set_mask_(shape.sets - 1),
        way_mask_(static_cast<std::uint32_t>((std::uint64_t{1} << shape.ways) - 1)),
        tags_(std::size_t{shape.sets} * groups_) {}

  /// Brings the line in as the most recent one of its set, if it is not there yet.
  Outcome access(LineId line, bool write) {
    Group* row = row_of(line);
    const Tag key = line << 1;
    if ((row[0].tags[0] & ~Tag{1}) == key) {
      row[0].tags[0] |= static_cast<Tag>(write);
      return {.hit = true};
    }
    switch (groups_) {  // the usual shapes with loops of known length
      case 2:
        return access_row<2>(row, key, write);
      case 3:
        return access_row<3>(row, key, write);
      case 4:
        return access_row<4>(row, key, write);
      default:
        return access_row<0>(row, key, write);
    }
  }

  /// A dirty line came from the level above. False if it is not here; its recency stays as it is.
  bool mark_dirty(LineId line) {
    Group* row = row_of(line);
    const std::uint32_t matches = find<0>(row, line << 1);
    if (matches == 0) return false;
    tag(row, static_cast<unsigned>(__builtin_ctz(matches))) |= 1;
    return true;
  }

  void clear() { tags_.assign(tags_.size(), {}); }

 private:
  using Tag = std::uint32_t;
  struct alignas(16) Group {
    Tag tags[4] = {};
  };

  Group* row_of(LineId line) { return tags_.data() + std::size_t{line & set_mask_} * groups_; }
  static Tag& tag(Group* row, unsigned way) { return row[way / 4].tags[way % 4]; }

  // Below, Groups is the number of groups of a row, or 0: look it up.

  template <std::uint32_t Groups>
  Outcome access_row(Group* row, Tag key, bool write) const {
    const std::uint32_t matches = find<Groups>(row, key);
    if (matches != 0) {
      promote(row, static_cast<unsigned>(__builtin_ctz(matches)), write);
      return {.hit = true};
    }
    const Tag victim = tag(row, ways_ - 1);
    push<Groups>(row, key | static_cast<Tag>(write));
    return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
  }

  static void promote(Group* row, unsigned way, bool write) {
    const Tag first = tag(row, way) | static_cast<Tag>(write);
    for (; way > 0; --way) tag(row, way) = tag(row, way - 1);
    row[0].tags[0] = first;
  }

#if defined(__SSE2__)
  static __m128i load(const Group& group) { return _mm_load_si128(reinterpret_cast<const __m128i*>(group.tags)); }

  /// Bit i is set if way i holds `key`, clean or dirty.
  template <std::uint32_t Groups>
  std::uint32_t find(const Group* row, Tag key) const {
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(key));
    const __m128i clean = _mm_set1_epi32(~1);
    std::uint32_t matches = 0;
    for (std::uint32_t g = 0; g < (Groups != 0 ? Groups : groups_); ++g) {
      const __m128i equal = _mm_cmpeq_epi32(_mm_and_si128(load(row[g]), clean), wanted);
      matches |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(equal))) << (4 * g);
    }
    return matches & way_mask_;
  }

  /// Moves every tag one way down and puts `first` on top.
  template <std::uint32_t Groups>
  void push(Group* row, Tag first) const {
    __m128i carry = _mm_cvtsi32_si128(static_cast<int>(first));
    for (std::uint32_t g = 0; g < (Groups != 0 ? Groups : groups_); ++g) {
      const __m128i tags = load(row[g]);
      _mm_store_si128(reinterpret_cast<__m128i*>(row[g].tags), _mm_or_si128(_mm_slli_si128(tags, 4), carry));
      carry = _mm_srli_si128(tags, 12);
    }
  }
#else
  template <std::uint32_t Groups>
  std::uint32_t find(const Group* row, Tag key) const {
    std::uint32_t matches = 0;
    for (unsigned way = 0; way < ways_; ++way) {
      matches |= std::uint32_t{(row[way / 4].tags[way % 4] & ~Tag{1}) == key} << way;
    }
    return matches;
  }

  template <std::uint32_t Groups>
  void push(Group* row, Tag first) const {
    for (unsigned way = ways_ - 1; way > 0; --way) tag(row, way) = tag(row, way - 1);
    row[0].tags[0] = first;
  }
#endif

  std::uint32_t ways_;
  std::uint32_t groups_;  // of four tags, in a row
  std::uint32_t set_mask_;
  std::uint32_t way_mask_;
  PrivateVector<Group> tags_;
};

}  // namespace lbhm::emulator
