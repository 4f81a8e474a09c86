#include "emulator/memory/memory_cache.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <tuple>

namespace lbhm::emulator {

MemoryCache::MemoryCache(std::uint64_t lines) : sets_(lines) {
  void* p =
      mmap(nullptr, sets_ * sizeof(Tag), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  tags_ = static_cast<std::atomic<Tag>*>(p);
}

MemoryCache::~MemoryCache() { munmap(tags_, sets_ * sizeof(Tag)); }

void MemoryCache::publish(PrivateVector<Change>& changes) {
  if (changes.empty()) return;
  const std::lock_guard guard(lock_);
  published_.insert(published_.end(), changes.begin(), changes.end());
  changes.clear();
}

void MemoryCache::merge() {
  const std::lock_guard guard(lock_);
  std::ranges::sort(published_, {}, [](const Change& c) { return std::tuple(c.time, c.core, c.sequence); });
  for (const Change& change : published_) tags_[change.set].store(change.tag, std::memory_order_relaxed);
  published_.clear();
  merges_.fetch_add(1, std::memory_order_release);
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
  const auto found = own_.find(set);
  const MemoryCache::Tag old = found == own_.end() ? cache_.tag(set) : found->second;
  const auto key = static_cast<MemoryCache::Tag>(line / cache_.sets() + 1) << 1;
  const bool hit = (old & ~MemoryCache::Tag{1}) == key;
  const MemoryCache::Tag fresh = key | static_cast<MemoryCache::Tag>(write) | (hit ? old & 1 : 0);
  if (fresh != old) {
    own_[set] = fresh;
    changes_.push_back({.time = now, .core = core_, .sequence = sequence_++, .set = set, .tag = fresh});
  }
  if (hit) return {.hit = true};
  return {.hit = false,
          .dirty_victim = (old & 1) != 0,
          .victim = old == 0 ? 0 : PhysicalLine{(old >> 1) - 1} * cache_.sets() + set};
}

}  // namespace lbhm::emulator
