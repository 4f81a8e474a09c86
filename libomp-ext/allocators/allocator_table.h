// The allocators that the program has made, their limits, and the locks of this room.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/traits.h"

namespace lbhm::allocators {

// All locks of this room, in the order in which one may be taken while another is held. The child of a fork(2) uses
// what they guard.

inline constinit std::mutex look_up_mutex;  ///< real_openmp
inline constinit std::mutex table_mutex;    ///< allocator_table
inline constinit std::mutex map_mutex;      ///< blocks: the map

/// Who has all of them because it forks; 0: nobody. No thread-local: where threads' stacks lie hangs on those.
inline constinit std::atomic<pthread_t> forking_thread{};
/// Handlers of pthread_atfork that run meanwhile may call malloc and free, and find LB-HM's own heap locked, too.
inline bool forking_here() { return forking_thread.load(std::memory_order_relaxed) == pthread_self(); }

// The limit of an allocator: trait pool_size.

/// What libomp counts for a block: its descriptor of 40 bytes and the alignment (8 or more) are part of the pool, so
/// that two blocks of 1 MiB do not fit into a pool of 2 MiB. Saturates: a charge of 2^64-1 fits nowhere.
constexpr std::uint64_t pool_charge(std::uint64_t bytes, std::uint64_t alignment) {
  constexpr std::uint64_t descriptor = 40;
  std::uint64_t charge = 0;
  if (__builtin_add_overflow(bytes, descriptor, &charge)) return UINT64_MAX;
  if (__builtin_add_overflow(charge, std::max<std::uint64_t>(alignment, 8), &charge)) return UINT64_MAX;
  return charge;
}

/// Bytes of a pool in use. Exact under concurrency: a request that does not fit is never seen by the others.
class Pool {
 public:
  /// A limit of 0 means no limit.
  void reset(std::uint64_t limit) {
    limit_ = limit;
    used_.store(0, std::memory_order_relaxed);
  }
  bool limited() const { return limit_ != 0; }

  bool take(std::uint64_t charge) {
    if (!limited()) return true;
    auto used = used_.load(std::memory_order_relaxed);
    do {
      if (used > limit_ || charge > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + charge, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::uint64_t charge) {
    if (limited()) used_.fetch_sub(charge, std::memory_order_relaxed);
  }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t limit_ = 0;
  std::atomic<std::uint64_t> used_{0};
};

// The allocators that the program has made.

struct Allocator {
  std::atomic<std::uint64_t> handle{null_handle};  ///< null: the slot is free
  AllocatorTraits traits;
  Pool pool;
  bool mallocs = false;         ///< without wishes for the memory, but for its alignment: malloc serves it
  Handle behind = null_handle;  ///< the runtime's own allocator that has the memory, for spaces of its own
  std::uint32_t generation = 0;
};

inline constexpr std::uint32_t table_slots = 16384;

/// Lookups take no lock. Slots stay where they are, so a lookup of a destroyed allocator is harmless.
extern constinit std::array<Allocator, table_slots> allocator_slots;

/// Null if the handle is not one of ours or its allocator was destroyed.
inline Allocator* find_allocator(Handle handle) {
  if (!is_ours(handle) || slot_of(handle) >= table_slots) return nullptr;
  Allocator& slot = allocator_slots[slot_of(handle)];
  return slot.handle.load(std::memory_order_acquire) == handle ? &slot : nullptr;
}

/// The allocator that gave out a block; null if it is predefined or was destroyed.
inline Allocator* find_allocator(Owner owner) {
  if (!owner.is_custom() || owner.id() - predefined_limit >= table_slots) return nullptr;
  Allocator& slot = allocator_slots[owner.id() - predefined_limit];
  const Handle handle = slot.handle.load(std::memory_order_acquire);
  return handle != null_handle && owner_of(handle) == owner ? &slot : nullptr;
}

/// Null if all slots are taken. Copies the name in `traits`.
Handle add_allocator(const AllocatorTraits& traits, Handle behind);
/// False if there is no such allocator.
bool remove_allocator(Handle handle);

// The locks of this room around fork(2).

/// Waits for those that hold them; nobody else gets them until after_fork, in the parent and in the child.
void before_fork();
void after_fork();

}  // namespace lbhm::allocators
