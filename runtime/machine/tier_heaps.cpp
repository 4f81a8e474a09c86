#include "runtime/machine/tier_heaps.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "runtime/machine/lasting_thread.h"
#include "runtime/machine/shared_module.h"

namespace lbhm::host {
namespace {

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
