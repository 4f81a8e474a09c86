#include "emulator/memory/memory_cache.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace lbhm::emulator {
void MemoryCache::publish(PrivateVector<Change>& changes) {
  if (changes.empty()) return;
  const std::lock_guard guard(lock_);
  published_.insert(published_.end(), changes.begin(), changes.end());
  changes.clear();
}

/// The latest change of each set stays; sorting all of them would take longer.
void MemoryCache::merge() {
  const std::lock_guard guard(lock_);
  const auto order = [](const Change& c) { return std::tuple(c.time, c.core, c.sequence); };
  for (std::uint32_t i = 0; i < published_.size(); ++i) {
    std::uint32_t& latest = latest_[published_[i].set];
    const bool is_first = latest >= i || published_[latest].set != published_[i].set;
    if (is_first || order(published_[latest]) < order(published_[i])) latest = i;
  }
  for (std::uint32_t i = 0; i < published_.size(); ++i) {
    const Change& change = published_[i];
    if (latest_[change.set] == i) tags_[change.set].store(change.tag, std::memory_order_relaxed);
  }
  published_.clear();
  merges_.fetch_add(1, std::memory_order_release);
}

ChangedSets::Slot& ChangedSets::slot_of(std::uint64_t set) {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;  // D. Knuth, TAOCP 3, 6.4: multiplicative hashing
  std::size_t i = (set * golden_ratio) >> (64 - bits_);
  while (has(slots_[i]) && slots_[i].set != set) i = (i + 1) & (slots_.size() - 1);
  return slots_[i];
}

void ChangedSets::put(Slot& slot, std::uint64_t set, MemoryCache::Tag tag) {
  taken_ += has(slot) ? 0 : 1;
  slot = {.set = set, .tag = tag, .round = round_};
  if (2 * taken_ > slots_.size()) grow();
}

void ChangedSets::grow() {
  ++bits_;
  const PrivateVector<Slot> old = std::exchange(slots_, PrivateVector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old) {
    if (has(slot)) slot_of(slot.set) = slot;
  }
}

void ChangedSets::clear() {
  taken_ = 0;
  if (++round_ != 0) return;
  std::ranges::fill(slots_, Slot{});
  round_ = 1;
}

void MemoryCacheView::catch_up() {
  const std::uint64_t merges = cache_.merges();
  if (merges == merges_seen_ || !changes_.empty()) return;  // what is not published was not merged
  own_.clear();
  merges_seen_ = merges;
}

MemoryCacheView::Outcome MemoryCacheView::access(PhysicalLine line, bool write, Picoseconds now) {
  catch_up();
  const std::uint64_t set = line % cache_.sets();
  ChangedSets::Slot& own = own_.slot_of(set);
  const MemoryCache::Tag old = own_.has(own) ? own.tag : cache_.tag(set);
  const auto key = static_cast<MemoryCache::Tag>(line / cache_.sets() + 1) << 1;
  const bool hit = (old & ~MemoryCache::Tag{1}) == key;
  const MemoryCache::Tag fresh = key | static_cast<MemoryCache::Tag>(write) | (hit ? old & 1 : 0);
  if (fresh != old) {
    own_.put(own, set, fresh);
    changes_.push_back({.time = now, .core = core_, .sequence = sequence_++, .set = set, .tag = fresh});
  }
  if (hit) return {.hit = true};
  return {.hit = false,
          .dirty_victim = (old & 1) != 0,
          .victim = old == 0 ? 0 : PhysicalLine{(old >> 1) - 1} * cache_.sets() + set};
}

}  // namespace lbhm::emulator
