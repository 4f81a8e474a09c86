// Small blocks: which of them come from an arena of their site.
//
// A thread counts by return address what is asked of malloc. When that is a part of the setting arena_minimum, it
// counts by stack pointer, too; when that is a part, it reads the stack once for the way that leads there, which it
// knows from then on by the return addresses that stand where they stood, too. What the way asks for counts for its
// site, and when the site has arena_minimum from all threads (site_counts.h), its blocks are an arena's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "libc-ext/arenas.h"
#include "libc-ext/site_counts.h"
#include "libomp-ext/allocators/heap_objects.h"

namespace lbhm::heap {

/// Nobody has an arena before it has asked for so much; less than Caller::last_way. SIZE_MAX: there are no arenas.
extern constinit std::atomic<std::size_t> least_part;

/// From now on sites may have arenas, if LB-HM places anything.
void begin_arenas();

/// A way through the program that ends in a call of malloc.
struct alignas(64) Way {
  static constexpr unsigned most_calls = 24;
  struct Call {
    std::uint32_t offset;  ///< of a return address on the stack, from the stack pointer
    std::uint32_t low;     ///< its lower half
  };

  const void* caller;
  const char* stack;
  Arena* arena;         ///< null: not yet
  Slot* last;           ///< of the arena
  std::uint64_t asked;  ///< bytes; not counted when it has an arena
  std::uint64_t until;  ///< it is only counted until it has asked for so much
  std::uint32_t calls;
  bool is_read;  ///< false: calls and site are not known yet
  Call call[most_calls];
  Way* next;            ///< of the same hash
  SiteCount* site;      ///< null: never an arena
  std::uint64_t added;  ///< bytes of `asked` that `site` knows of

  /// False, too, as long as it is not read.
  bool is_this(const void* from, const char* at) const {
    if (from != caller || at != stack || !is_read) return false;
    for (std::uint32_t i = 0; i < calls; ++i)
      if (*reinterpret_cast<const std::uint32_t*>(at + call[i].offset) != call[i].low) return false;
    return true;
  }
};

/// As small as can be: a program may have a thousand, and they share the first cache with its data.
struct Caller {
  static constexpr std::uint32_t last_way = std::uint32_t{1} << 31, never = UINT32_MAX;

  std::uint32_t code;   ///< lower half of the return address; 0: none
  std::uint32_t state;  ///< bytes asked for; from last_way on: that, and the number of the last way; or `never`
};

/// What a thread knows. In pages of its own, zeroed.
struct Thread {
  static constexpr unsigned most_callers = 1536, most_ways = 4096;

  bool busy;  ///< a handler of a signal that comes now goes to the process's malloc
  unsigned callers_known, ways_known;
  Arena* arenas[1024];    ///< by a hash of their site
  const char* stack_end;  ///< null: not known yet
  Caller callers[2048];
  Way* ways[4096];
  Way way[most_ways];
};

/// lbhm_heap_of_thread of threads that have begun to end.
inline Thread* const ending = reinterpret_cast<Thread*>(1);

inline std::size_t hash_of(std::uintptr_t value, std::size_t places) {
  return static_cast<std::size_t>(value * 0x9e3779b97f4a7c15ULL >> 32) % places;
}

/// The one with this return address, or the unused one where it would go. There is always an unused one.
inline Caller& caller_at(Thread& thread, const void* address) {
  const auto code = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address));
  std::size_t place = hash_of(code, std::size(thread.callers));
  while (thread.callers[place].code != code && thread.callers[place].code != 0)
    place = (place + 1) % std::size(thread.callers);
  return thread.callers[place];
}

/// What small_block does when not all is known yet, or the way is another one than last time.
void* seldom(Thread* thread, std::size_t bytes, const void* caller, const char* stack);

/// A block of `bytes`, less than `largest_small`, for the code at `caller`, whose stack pointer is `stack`, aligned to
/// 16. Null: from the process's malloc.
inline void* small_block(std::size_t bytes, const void* caller, const char* stack) {
  const std::size_t part = least_part.load(std::memory_order_relaxed);
  if (part == SIZE_MAX) return nullptr;
  auto* const thread = static_cast<Thread*>(lbhm_heap_of_thread);
  if (thread <= ending) [[unlikely]]
    return seldom(thread, bytes, caller, stack);
  if (thread->busy) [[unlikely]]
    return nullptr;
  Caller& known = caller_at(*thread, caller);
  if (known.code == 0) [[unlikely]]
    return seldom(thread, bytes, caller, stack);
  if (known.state == Caller::never) [[unlikely]]
    return nullptr;
  if (known.state < Caller::last_way) {
    const std::size_t asked = known.state + bytes;
    if (asked >= part) return seldom(thread, bytes, caller, stack);
    known.state = static_cast<std::uint32_t>(asked);
    return nullptr;
  }
  Way* const way = &thread->way[known.state - Caller::last_way];
  if (!way->is_this(caller, stack)) return seldom(thread, bytes, caller, stack);
  if (way->arena == nullptr) [[unlikely]] {
    if (way->asked + bytes >= way->until) return seldom(thread, bytes, caller, stack);
    way->asked += bytes;
    return nullptr;
  }
  thread->busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  void* const block = take_block(*way->arena, way->last, class_of(bytes));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->busy = false;
  return block;
}

/// `block` is of that slot of an arena.
inline void release_small(Slot& slot, void* block) {
  auto* const thread = static_cast<Thread*>(lbhm_heap_of_thread);
  if (thread > ending && slot.owner.load(std::memory_order_relaxed) == thread && !thread->busy) [[likely]] {
    thread->busy = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    give_back(slot, block);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread->busy = false;
    return;
  }
  give_back_remote(*section_of(slot).arena, block);
}

}  // namespace lbhm::heap
