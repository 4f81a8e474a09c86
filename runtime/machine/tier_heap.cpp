#include "runtime/machine/tier_heap.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace lbhm::host {
namespace {

constexpr std::int64_t told_after = 64 << 10;                   // bytes; so much a thread may have without a promise
constexpr std::size_t promised_at_once = std::size_t{2} << 20;  // a huge page

}  // namespace

/// What one thread has of one heap.
struct ThreadPart {
  ThreadPart() = default;
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;
  ~ThreadPart() {
    leave();
    ended = true;  // other destructors of the thread may still free blocks
  }
  void leave() {
    // Without a promise for it: the memory that promises may be gone with the machine.
    if (heap != nullptr) heap->in_use_.fetch_add(std::exchange(untold, 0), std::memory_order_relaxed);
    heap = nullptr;
    blocks = nullptr;
  }

  TierHeap* heap = nullptr;
  void* blocks = nullptr;   ///< the module's heap; null: not made yet
  std::int64_t untold = 0;  ///< bytes
  bool ended = false;
};

namespace {
thread_local std::array<ThreadPart, TierHeap::slots> parts;
}  // namespace

TierHeap::TierHeap(Memory memory, const HeapModule& module, std::size_t slot)
    : memory_(std::move(memory)), module_(module), slot_(slot), arena_(module.add(memory_.begin, memory_.bytes)) {}

TierHeap& TierHeap::make(Memory memory, const HeapModule& module, std::size_t slot) {
  static std::mutex lock;
  static auto* const all = new std::deque<TierHeap>;  // threads that end after everything else speak to their heaps
  const std::lock_guard guard(lock);
  return all->emplace_back(std::move(memory), module, slot);
}

ThreadPart& TierHeap::part_of_thread() {
  ThreadPart& part = parts[slot_];
  if (part.heap != this) [[unlikely]] {
    part.leave();
    part.heap = this;
  }
  return part;
}

bool TierHeap::settle(std::int64_t change) {
  const std::int64_t now = in_use_.fetch_add(change, std::memory_order_relaxed) + change;
  return now <= static_cast<std::int64_t>(promised_.load(std::memory_order_relaxed)) ||
         grow(static_cast<std::size_t>(now));
}

bool TierHeap::grow(std::size_t wanted) {
  const std::lock_guard guard(growing_);
  std::size_t promised = promised_.load(std::memory_order_relaxed);
  while (promised < wanted) {
    const std::size_t more = std::min(promised_at_once, memory_.bytes - promised);
    if (more == 0 || !memory_.promise(memory_.begin + promised, more)) return false;
    promised_.store(promised += more, std::memory_order_relaxed);
  }
  return true;
}

void* TierHeap::allocate(std::size_t bytes) {
  ThreadPart& part = part_of_thread();
  if (part.ended || !usable() || bytes > memory_.bytes) return nullptr;
  if (part.blocks == nullptr) [[unlikely]] {
    part.blocks = module_.thread_heap(arena_);
    if (part.blocks == nullptr) return nullptr;
  }
  const auto size = static_cast<std::int64_t>(bytes);
  part.untold += size;
  if (part.untold > told_after) [[unlikely]] {
    const std::int64_t told = std::exchange(part.untold, 0);
    if (!settle(told)) {
      in_use_.fetch_sub(size, std::memory_order_relaxed);
      return nullptr;
    }
  }
  void* const block = module_.allocate(part.blocks, bytes);
  if (block == nullptr) [[unlikely]]
    part.untold -= size;
  return block;
}

void TierHeap::release(void* block, std::size_t bytes) {
  ThreadPart& part = part_of_thread();
  module_.release(arena_, block);
  part.untold -= static_cast<std::int64_t>(bytes);
  if (part.untold < -told_after || part.ended) [[unlikely]]
    in_use_.fetch_add(std::exchange(part.untold, 0), std::memory_order_relaxed);
}

}  // namespace lbhm::host
