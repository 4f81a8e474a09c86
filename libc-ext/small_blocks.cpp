#include "libc-ext/small_blocks.h"

#include <ctype.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

extern "C" void* __libc_stack_end;  // of glibc's loader

namespace lbhm::heap {

constinit std::atomic<std::size_t> least_part{SIZE_MAX};

namespace {

constinit std::size_t minimum = 0;  ///< the setting arena_minimum; set before least_part
pthread_key_t key;

void end_thread(void* data) {
  auto* const thread = static_cast<Thread*>(data);
  lbhm_heap_of_thread = ending;
  for (Arena* arena : thread->arenas)
    while (arena != nullptr) leave_arena(*std::exchange(arena, arena->next));
  munmap(thread, sizeof(Thread));
}

}  // namespace

void begin_arenas() {
  if (pthread_key_create(&key, end_thread) != 0) return;
  int turns = 0;
  minimum = lbhm_heap_arena_minimum(lanes_rest, &turns);
  in_turns = turns != 0;
  if (minimum < Caller::last_way) least_part.store(minimum / most_parts, std::memory_order_release);
}

namespace {

/// A thread of another C library (dlmopen) asks us for memory all the same: the loader does, for its thread-locals. Its
/// keys are others' here: what we set there would be given to that library's functions when the thread ends.
bool is_of_this_libc() { return *__ctype_b_loc() != nullptr; }  // set where a thread begins

/// Null: there is no memory, or the thread gets none of ours.
Thread* begin_thread() {
  lbhm_heap_of_thread = ending;  // should one of these ask for memory
  if (!is_of_this_libc()) return nullptr;
  void* const pages = mmap(nullptr, sizeof(Thread), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (pthread_setspecific(key, pages) != 0) {
    munmap(pages, sizeof(Thread));
    return nullptr;
  }
  lbhm_heap_of_thread = pages;
  return static_cast<Thread*>(pages);
}

/// Null: there are too many.
Caller* known_caller(Thread& thread, const void* address) {
  Caller& caller = caller_at(thread, address);
  if (caller.code != 0) return &caller;
  if (thread.callers_known == Thread::most_callers) return nullptr;
  ++thread.callers_known;
  caller.code = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address));
  return &caller;
}

/// Asked of the kernel until it is known: a program may forbid itself system calls later.
bool is_first_thread() {
  static constinit std::atomic<const void*> first{nullptr};
  const void* const self = __builtin_thread_pointer();
  if (const void* const known = first.load(std::memory_order_relaxed)) return known == self;
  if (getpid() != gettid()) return false;
  first.store(self, std::memory_order_relaxed);
  return true;
}

/// Where the thread's stack ends: the first one where the loader began, others at what the thread itself is known by.
/// Asking for more takes memory of the program's.
const char* end_of_stack(Thread& thread) {
  if (thread.stack_end == nullptr) {
    thread.stack_end = static_cast<const char*>(is_first_thread() ? __libc_stack_end : __builtin_thread_pointer());
  }
  return thread.stack_end;
}

/// Stacks that programs make for themselves may end anywhere.
bool is_on_own_stack(Thread& thread, const char* stack) {
  constexpr std::ptrdiff_t largest = std::ptrdiff_t{64} << 20;
  return stack < end_of_stack(thread) && end_of_stack(thread) - stack < largest;
}

/// What lbhm_heap_calls found. The way is known by its calls from now on, unless it is not the time for that.
int read_stack(Way& way, const Thread& thread) {
  lbhm_heap_call calls[Way::most_calls];
  std::uint64_t site = 0;
  const int found = lbhm_heap_calls(way.caller, calls, Way::most_calls, &site);
  if (found == LBHM_HEAP_NEVER || found == LBHM_HEAP_NOT_NOW) return found;
  way.is_read = true;
  for (int i = 0; i < found; ++i) {
    const auto* const at = static_cast<const char*>(calls[i].at);
    if (at < way.stack) continue;  // the caller's own
    if (at >= thread.stack_end) {
      way.calls = 0;
      return LBHM_HEAP_UNREADABLE;
    }
    way.call[way.calls++] = {.offset = static_cast<std::uint32_t>(at - way.stack),
                             .low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(calls[i].address))};
  }
  if (found > 0) way.site = count_of(site);
  return found;
}

/// Bytes that a caller, then a way asks for before more is asked about it.
std::size_t part() {
  return minimum / (in_turns ? std::min<std::size_t>(lbhm_heap_team_size(), most_parts) : most_parts);
}

/// Those that lead to one stack pointer count together until one of them is read. Null: there are too many.
Way* way_of(Thread& thread, Caller& caller, const void* code, const char* stack) {
  const auto both = reinterpret_cast<std::uintptr_t>(code) ^ reinterpret_cast<std::uintptr_t>(stack) << 20;
  Way*& first = thread.ways[hash_of(both, std::size(thread.ways))];
  Way* unread = nullptr;
  for (Way* way = first; way != nullptr; way = way->next) {
    if (way->is_this(code, stack)) return way;
    if (!way->is_read && way->caller == code && way->stack == stack) unread = way;
  }
  if (unread != nullptr) return unread;
  if (thread.ways_known == Thread::most_ways || !is_on_own_stack(thread, stack)) return nullptr;
  Way& fresh = thread.way[thread.ways_known++];
  fresh.caller = code;
  fresh.stack = stack;
  fresh.until = part();
  if (caller.state < Caller::last_way) fresh.asked = caller.state;  // the first one of the caller
  fresh.next = first;
  return first = &fresh;
}

/// Null: there are too many.
Arena* arena_of(Thread& thread, SiteCount& site) {
  Arena*& first = thread.arenas[site.site.load(std::memory_order_relaxed) % std::size(thread.arenas)];
  for (Arena* arena = first; arena != nullptr; arena = arena->next)
    if (arena->site == &site) return arena;
  Arena* const arena = arena_for(site, &thread);
  if (arena == nullptr) return nullptr;
  arena->next = first;
  return first = arena;
}

/// It has asked for a part more.
bool may_have_arena(Way& way, Caller& caller, const Thread& thread) {
  if (!way.is_read && read_stack(way, thread) == LBHM_HEAP_NEVER) caller.state = Caller::never;
  if (way.site == nullptr) return false;
  return in_turns || may_have_arenas(*way.site, way.asked - std::exchange(way.added, way.asked), minimum);
}

void* block_of(Thread& thread, std::size_t bytes, const void* code, const char* stack) {
  Caller* const caller = known_caller(thread, code);
  if (caller == nullptr || caller->state == Caller::never) return nullptr;
  if (caller->state < Caller::last_way && caller->state + bytes < part()) {
    caller->state += static_cast<std::uint32_t>(bytes);
    return nullptr;
  }
  Way* const way = way_of(thread, *caller, code, stack);
  if (way == nullptr) return nullptr;
  caller->state = Caller::last_way + static_cast<std::uint32_t>(way - thread.way);
  if (way->arena == nullptr) {
    way->asked += bytes;
    if (way->asked < way->until) return nullptr;
    way->until = way->asked + least_part.load(std::memory_order_relaxed);
    if (!may_have_arena(*way, *caller, thread)) return nullptr;
    way->arena = arena_of(thread, *way->site);
  }
  return way->arena ? take_block(*way->arena, way->last, class_of(bytes)) : nullptr;
}

}  // namespace

void* seldom(Thread* thread, std::size_t bytes, const void* caller, const char* stack) {
  if (thread == nullptr) thread = begin_thread();
  if (thread <= ending || thread->busy) return nullptr;
  thread->busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  void* const block = block_of(*thread, bytes, caller, stack);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->busy = false;
  return block;
}

}  // namespace lbhm::heap
