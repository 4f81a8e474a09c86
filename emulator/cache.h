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
        stride_(4 * groups_ + 4),  // one group more, because a shifted row ends one tag later
        set_mask_(shape.sets - 1),
        way_mask_(static_cast<std::uint32_t>((std::uint64_t{1} << shape.ways) - 1)),
        tags_(std::size_t{shape.sets} * stride_, 0) {}

  /// Brings the line in as the most recent one of its set, if it is not there yet.
  Outcome access(LineId line, bool write) {
    std::uint32_t* row = tags_.data() + std::size_t{line & set_mask_} * stride_;
    const std::uint32_t key = line << 1;
    if ((row[0] & ~1u) == key) {
      row[0] |= static_cast<std::uint32_t>(write);
      return {.hit = true};
    }
    const std::uint32_t matches = find(row, key);
    if (matches != 0) {
      promote(row, static_cast<unsigned>(__builtin_ctz(matches)), write);
      return {.hit = true};
    }
    const std::uint32_t victim = row[ways_ - 1];
    shift(row);
    row[0] = key | static_cast<std::uint32_t>(write);
    return {.hit = false, .victim_dirty = (victim & 1) != 0, .victim = victim >> 1};
  }

  /// A dirty line came from the level above. False if it is not here; its recency stays as it is.
  bool mark_dirty(LineId line) {
    std::uint32_t* row = tags_.data() + std::size_t{line & set_mask_} * stride_;
    const std::uint32_t matches = find(row, line << 1);
    if (matches == 0) return false;
    row[__builtin_ctz(matches)] |= 1;
    return true;
  }

  void clear() { tags_.assign(tags_.size(), 0); }

 private:
  /// Bit i is set if way i holds `key`, clean or dirty.
  std::uint32_t find(const std::uint32_t* row, std::uint32_t key) const {
    std::uint32_t matches = 0;
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(key));
    const __m128i clean = _mm_set1_epi32(~1);
    for (std::uint32_t group = 0; group < groups_; ++group) {
      const __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 4 * group));
      const __m128i equal = _mm_cmpeq_epi32(_mm_and_si128(tags, clean), wanted);
      matches |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(equal))) << (4 * group);
    }
#else
    for (std::uint32_t way = 0; way < ways_; ++way) matches |= std::uint32_t{(row[way] & ~1u) == key} << way;
#endif
    return matches & way_mask_;
  }

  static void promote(std::uint32_t* row, unsigned way, bool write) {
    const std::uint32_t tag = row[way] | static_cast<std::uint32_t>(write);
    for (; way > 0; --way) row[way] = row[way - 1];
    row[0] = tag;
  }

  /// Moves every tag one way down; what leaves the last way lands behind the row.
  void shift(std::uint32_t* row) const {
#if defined(__SSE2__)
    for (std::uint32_t group = groups_; group-- > 0;) {
      const __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 4 * group));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(row + 4 * group + 1), tags);
    }
#else
    for (std::uint32_t way = ways_ - 1; way > 0; --way) row[way] = row[way - 1];
#endif
  }

  std::uint32_t ways_;
  std::uint32_t groups_;
  std::uint32_t stride_;
  std::uint32_t set_mask_;
  std::uint32_t way_mask_;
  PrivateVector<std::uint32_t> tags_;
};

}  // namespace lbhm::emulator
