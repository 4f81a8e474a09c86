#include "runtime/host/tier_heaps.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "runtime/base/own_folder.h"
#include "runtime/host/machine_threads.h"
#include "runtime/host/modules.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm::host {

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

constexpr std::int64_t told_after = 64 << 10;                   // bytes; so much a thread may have without a promise
constexpr std::size_t promised_at_once = std::size_t{2} << 20;  // a huge page

thread_local std::array<ThreadPart, TierHeap::slots> parts;

std::string from_malloc(TierId tier) {
  return "small objects that name tier " + std::to_string(tier.value) + " come from malloc: ";
}

/// Addresses cost nothing: each thread may have begun two grains, and what is in use need not be dense.
Bytes addresses_for(Bytes limit) {
  const std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t grains = (limit.value + heap_grain - 1) / heap_grain + 2 * threads;
  return Bytes(grains * heap_grain);
}

struct Allocator {
  const char* name;
  const char* file;
  const char* package;
  const char* versions;
};
/// The best first: mimalloc's threads have caches, and what is freed there is used again (docs/allocators.md).
constexpr Allocator allocators[] = {{"mimalloc", "liblbhm-mimalloc.so", "libmimalloc2.0", "2.0.9 to 2.9"},
                                    {"memkind", "liblbhm-memkind.so", "libmemkind0", "1.11 and later"}};

Result<const HeapModule*> find_heap_module(const Allocator& allocator) {
  const NoFork whole;  // memkind opens libraries, too
  const auto entry = open_module(own_folder(), allocator.file, heap_module_entry, allocator.package);
  if (!entry) return std::unexpected(entry.error());
  if (const HeapModule* const module = reinterpret_cast<HeapModuleEntry>(*entry)()) return module;
  return failure(StatusCode::unavailable, std::string(allocator.name) + " is of another version than " +
                                              allocator.versions + "; install the package " + allocator.package);
}

/// mimalloc takes every thread for its main one that has the control block of the thread that opened it
/// (_mi_is_main_thread). Such a thread leaves its memory to the main heap, and no other thread gets it from there.
Result<const HeapModule*> open_heap_module(const Allocator& allocator) {
  constexpr std::chrono::milliseconds patience(500);  // it takes less than one
  const auto opened = std::make_shared<Result<const HeapModule*>>(nullptr);
  const auto open = [opened, allocator] {
    try {
      *opened = find_heap_module(allocator);
    } catch (const std::bad_alloc&) { *opened = std::unexpected(Status(StatusCode::no_memory, "out of memory")); }
  };
  return run_on_lasting_thread(open, patience) ? *opened : find_heap_module(allocator);
}

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

TierHeaps::TierHeaps(TieredMemory& memory, std::vector<Bytes> limits, std::string allocator, const HeapModule* module)
    : memory_(memory), limits_(std::move(limits)), allocator_(std::move(allocator)), module_(module) {
  limits_.resize(allocator_ == "none" ? 0 : std::min(limits_.size(), TierHeap::slots));
}

void* TierHeaps::allocate(Bytes bytes, TierId tier) {
  if (tier.value >= limits_.size() || limits_[tier.value].value == 0) return nullptr;
  TierHeap* heap = heaps_[tier.value].load(std::memory_order_acquire);
  if (heap == nullptr) [[unlikely]]
    heap = make(tier);
  if (heap == nullptr) return nullptr;
  void* const block = heap->allocate(bytes.value);
  if (block == nullptr) [[unlikely]]
    note_full(tier);
  return block;
}

void TierHeaps::release(void* block, Bytes bytes) {
  for (const std::atomic<TierHeap*>& slot : heaps_) {
    TierHeap* const heap = slot.load(std::memory_order_acquire);
    if (heap != nullptr && heap->holds(block)) return heap->release(block, bytes.value);
  }
}

TierHeap* TierHeaps::make(TierId tier) {
  const std::lock_guard guard(lock_);
  if (std::exchange(tried_[tier.value], true)) return heaps_[tier.value].load(std::memory_order_relaxed);
  const HeapModule* const blocks = module();
  if (blocks == nullptr) return nullptr;
  const Bytes limit = limits_[tier.value];
  const Bytes addresses = addresses_for(limit);
  const auto memory = memory_.reserve_for_blocks(addresses, Bytes(heap_grain), tier);
  if (!memory) {
    remarks_.push_back(from_malloc(tier) + memory.error().message() +
                       "; allow more (ulimit -v, vm.overcommit_memory) or set LBHM_SMALL_OBJECTS to less");
    return nullptr;
  }
  auto* const begin = static_cast<std::byte*>(*memory);
  auto promise = [this, tier, end = begin + limit.value](std::byte* at, std::size_t bytes) {
    return at + bytes <= end && memory_.promise(reinterpret_cast<std::uintptr_t>(at), Bytes(bytes), tier);
  };
  TierHeap& heap = TierHeap::make({begin, addresses.value, std::move(promise)}, *blocks, tier.value);
  if (!heap.usable()) {
    remarks_.push_back(from_malloc(tier) + "the allocator does not take the memory; set LBHM_SMALL_OBJECTS to less");
    return nullptr;
  }
  heaps_[tier.value].store(&heap, std::memory_order_release);
  return &heap;
}

const HeapModule* TierHeaps::module() {
  if (module_ == nullptr && !std::exchange(opened_, true)) module_ = open_any();
  return module_;
}

const HeapModule* TierHeaps::open_any() {
  for (const Allocator& allocator : allocators) {
    if (allocator_ != "auto" && allocator_ != allocator.name) continue;
    const auto opened = open_heap_module(allocator);
    if (opened) return *opened;
    remarks_.push_back(std::string("small objects are not ") + allocator.name + "'s: " + opened.error().message());
  }
  remarks_.push_back("small objects come from malloc, in no tier");
  return nullptr;
}

void TierHeaps::note_full(TierId tier) {
  const std::lock_guard guard(lock_);
  if (std::exchange(full_[tier.value], true)) return;
  remarks_.push_back("tier " + std::to_string(tier.value) +
                     " has no more room for small objects: those that name it come from malloc from now on; the limits "
                     "are LBHM_SMALL_OBJECTS and what is free");
}

std::vector<std::string> TierHeaps::remarks() const {
  const std::lock_guard guard(lock_);
  return remarks_;
}

}  // namespace lbhm::host
