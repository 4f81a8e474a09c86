// memory-mode: tier 0 as a direct-mapped write-back cache of lines in front of tier 1, over emulated physical frames.
//
// Deterministic though all cores share it: during a quantum a core sees the cache as it was when the quantum began,
// plus its own changes; at the quantum's end the changes of all cores are made in the order of (virtual time, core).
// What an access moves: M. Hildebrand et al., "A Case Against Hardware Managed DRAM Caches for NVRAM Based Systems",
// ISPASS 2021: the tag lies beside the line in DRAM, so every access begins with a read there, which also delivers a
// victim's data.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"

namespace lbhm::emulator {

/// (physical frame << 6) | line in the page.
using PhysicalLine = std::uint64_t;

class MemoryCache {
 public:
  /// A line's tag in its set: 0 is empty, else ((line / sets + 1) << 1) | dirty.
  using Tag = std::uint32_t;

  struct Change {
    Picoseconds time = 0;
    std::uint64_t core = 0;
    std::uint64_t sequence = 0;  ///< of the core's own changes
    std::uint64_t set = 0;
    Tag tag = 0;
  };

  explicit MemoryCache(std::uint64_t lines) : sets_(lines) {}

  std::uint64_t sets() const { return sets_; }
  Tag tag(std::uint64_t set) const { return tags_[set].load(std::memory_order_relaxed); }

  /// Hands a core's changes over; `changes` is empty afterwards.
  void publish(PrivateVector<Change>& changes);
  /// The quantum is over: what was published is true for all.
  void merge();
  std::uint64_t merges() const { return merges_.load(std::memory_order_acquire); }

 private:
  const std::uint64_t sets_;
  ZeroedTable<std::atomic<Tag>> tags_{sets_};
  ZeroedTable<std::uint32_t> latest_{sets_};  // by set: its latest change of this merge; else any number
  std::mutex lock_;
  PrivateVector<Change> published_;
  std::atomic<std::uint64_t> merges_{0};
};

/// Tags of the sets that one core has changed since the last merge. Open addressing: every access to memory asks here,
/// and every quantum begins with none.
class ChangedSets {
 public:
  struct Slot {
    std::uint64_t set = 0;
    MemoryCache::Tag tag = 0;
    std::uint32_t round = 0;  ///< of clear(), in which the slot was taken
  };

  /// The slot of the set, or the free one that it may take.
  Slot& slot_of(std::uint64_t set);
  bool has(const Slot& slot) const { return slot.round == round_; }
  /// `slot`: as slot_of has found it.
  void put(Slot& slot, std::uint64_t set, MemoryCache::Tag tag);
  void clear();

 private:
  void grow();

  unsigned bits_ = 10;
  std::uint32_t round_ = 1;
  std::size_t taken_ = 0;
  PrivateVector<Slot> slots_{std::size_t{1} << bits_};
};

/// The cache as one core sees it.
class MemoryCacheView {
 public:
  struct Outcome {
    bool hit = false;
    bool dirty_victim = false;
    PhysicalLine victim = 0;
  };

  MemoryCacheView(MemoryCache& cache, std::uint64_t core) : cache_(cache), core_(core) {}

  Outcome access(PhysicalLine line, bool write, Picoseconds now);
  void publish() { cache_.publish(changes_); }

 private:
  void catch_up();

  MemoryCache& cache_;
  std::uint64_t core_;
  std::uint64_t merges_seen_ = 0;
  std::uint64_t sequence_ = 0;
  ChangedSets own_;
  PrivateVector<MemoryCache::Change> changes_;  // not published yet
};

}  // namespace lbhm::emulator
