// The heaps of all tiers, made when they are first needed.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/heap_module.h"
#include "runtime/machine/tier_heap.h"
#include "runtime/machine/tiered_memory.h"

namespace lbhm::host {

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
