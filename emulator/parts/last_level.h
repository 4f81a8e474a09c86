// The last-level cache as one core sees it: a slice of its own, or its share of a cache of all.
//
// A shared cache is divided among the cores by how often they used it lately (llc_shares.h). A core keeps its part in a
// cache of the full size whose sets hold no more lines than the share allows: a miss in a set that holds more pushes
// out the oldest line for good measure. A core alone has the whole cache. Lines that several cores use count for each.
#pragma once

#include <cstdint>

#include "emulator/parts/cache.h"

namespace lbhm::emulator {

class LastLevel {
 public:
  explicit LastLevel(CacheShape shape) : cache_(shape), shape_(shape) { set_share(lines()); }

  std::uint64_t lines() const { return std::uint64_t{shape_.sets} * shape_.ways; }

  /// How many lines may be here. The rest beyond whole ways goes to the first sets.
  void set_share(std::uint64_t lines) {
    ways_ = static_cast<std::uint32_t>(lines / shape_.sets);
    sets_with_one_more_ = static_cast<std::uint32_t>(lines % shape_.sets);
  }

  /// `evicted` is called with every dirty line that has to be written back.
  template <class Evicted>
  [[gnu::always_inline]] bool access(LineId line, Evicted evicted) {
    ++uses_;
    const Cache::Outcome outcome = cache_.access(line, false);
    if (outcome.hit) return true;
    if (outcome.victim_dirty) evicted(outcome.victim);
    if (ways_ < shape_.ways) shrink(line, evicted);
    return false;
  }

  [[gnu::always_inline]] bool mark_dirty(LineId line) { return cache_.mark_dirty(line); }
  bool contains(LineId line) { return cache_.contains(line); }
  void remove(LineId line) { cache_.remove(line); }
  void clear() { cache_.clear(); }

  std::uint64_t uses() const { return uses_; }

 private:
  template <class Evicted>
  void shrink(LineId line, Evicted evicted) {
    const std::uint32_t most = ways_ + (cache_.set_of(line) < sets_with_one_more_ ? 1 : 0);
    constexpr int lines_at_once = 2;  // the one for which room was needed, and one more until the set is small enough
    for (int i = 0; i < lines_at_once; ++i) {
      const Cache::Outcome dropped = cache_.trim(line, most);
      if (dropped.victim_dirty) evicted(dropped.victim);
    }
  }

  Cache cache_;
  CacheShape shape_;
  std::uint32_t ways_ = 0;
  std::uint32_t sets_with_one_more_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace lbhm::emulator
