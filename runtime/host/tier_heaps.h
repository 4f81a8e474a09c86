// Small blocks in the tiers of a machine: the heap of one tier, and those of all, made when they are first needed.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/host/modules.h"
#include "runtime/host/tiered_memory.h"

namespace lbhm::host {

/// Threads have heaps of their own in one range of addresses. What blocks take of the tier is promised step by step:
/// threads count on their own and tell after each 64 KiB.
class TierHeap {
 public:
  struct Memory {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
    /// Takes the next `bytes` of the tier, from `begin` on; false: there is no more.
    std::function<bool(std::byte* begin, std::size_t bytes)> promise;
  };
  static constexpr std::size_t slots = 8;

  /// A heap that stays for ever, as its blocks may. `slot`: below slots, and its own among the heaps in use at one
  /// time.
  static TierHeap& make(Memory memory, const HeapModule& module, std::size_t slot);
  TierHeap(Memory memory, const HeapModule& module, std::size_t slot);
  TierHeap(const TierHeap&) = delete;
  TierHeap& operator=(const TierHeap&) = delete;

  /// False: the module could not take the memory; allocate has nothing then.
  bool usable() const { return arena_ >= 0; }
  /// Aligned to 16, not zeroed. Null: no room, or the thread is about to end.
  void* allocate(std::size_t bytes);
  /// `bytes` as they were asked for.
  void release(void* block, std::size_t bytes);
  bool holds(const void* block) const { return block >= memory_.begin && block < memory_.begin + memory_.bytes; }
  /// Of all blocks, to 64 KiB for each thread.
  std::int64_t in_use() const { return in_use_.load(std::memory_order_relaxed); }

 private:
  friend struct ThreadPart;
  struct ThreadPart& part_of_thread();
  bool settle(std::int64_t change);
  bool grow(std::size_t wanted);

  Memory memory_;
  const HeapModule& module_;
  std::size_t slot_;
  int arena_;
  std::atomic<std::int64_t> in_use_{0};
  std::atomic<std::size_t> promised_{0};
  std::mutex growing_;
};

/// Calls may come from any thread. Blocks may outlive it, and so do the heaps.
class TierHeaps {
 public:
  /// `memory` outlives the heaps. `limits`: what blocks may have of each tier, 0: none; what is free is a limit, too.
  /// `allocator`: as LBHM_HEAP names it. `module`: null: the one of that allocator.
  TierHeaps(TieredMemory& memory, std::vector<Bytes> limits, std::string allocator = "auto",
            const HeapModule* module = nullptr);

  /// Aligned to 16, not zeroed. Null: this tier has no heap, or no room.
  void* allocate(Bytes bytes, TierId tier);
  /// `bytes` as they were asked for.
  void release(void* block, Bytes bytes);
  /// What did not work, each once.
  std::vector<std::string> remarks() const;

 private:
  TierHeap* make(TierId tier);
  const HeapModule* module();
  const HeapModule* open_any();
  void note_full(TierId tier);

  TieredMemory& memory_;
  std::vector<Bytes> limits_;
  const std::string allocator_;
  std::array<std::atomic<TierHeap*>, TierHeap::slots> heaps_{};  ///< null: not asked for, or there is none

  mutable std::mutex lock_;  ///< of what follows
  const HeapModule* module_;
  bool opened_ = false;
  std::array<bool, TierHeap::slots> tried_{}, full_{};
  std::vector<std::string> remarks_;
};

}  // namespace lbhm::host
