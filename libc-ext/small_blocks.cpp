#include "libc-ext/small_blocks.h"

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
  leave_arenas(thread->arenas);
  munmap(thread, sizeof(Thread));
}

__attribute__((constructor)) void begin() {
  if (pthread_key_create(&key, end_thread) != 0) return;
  int turns = 0;
  minimum = lbhm_heap_arena_minimum(lanes_rest, &turns);
  in_turns = turns != 0;
  if (minimum < Caller::last_way) least_part.store(minimum / most_parts, std::memory_order_release);
}

/// Null: there is no memory.
Thread* begin_thread() {
  lbhm_heap_of_thread = ending;  // should one of these ask for memory
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
Caller* caller_at(Thread& thread, std::uint32_t code) {
  std::size_t place = hash_of(code, std::size(thread.callers));
  for (;; place = (place + 1) % std::size(thread.callers)) {
    Caller& caller = thread.callers[place];
    if (caller.code == code) return &caller;
    if (caller.code != 0) continue;
    if (thread.callers_known == Thread::most_callers) return nullptr;
    ++thread.callers_known;
    caller.code = code;
    return &caller;
  }
}

/// Where the thread's stack ends: the first one where the loader began, others at what the thread itself is known by.
/// Asking for more takes memory of the program's.
const char* end_of_stack(Thread& thread) {
  if (thread.stack_end == nullptr) {
    const bool first = getpid() == gettid();
    thread.stack_end = static_cast<const char*>(first ? __libc_stack_end : __builtin_thread_pointer());
  }
  return thread.stack_end;
}

/// Stacks that programs make for themselves may end anywhere.
bool is_on_own_stack(Thread& thread, const char* stack) {
  constexpr std::ptrdiff_t largest = std::ptrdiff_t{64} << 20;
  return stack < end_of_stack(thread) && end_of_stack(thread) - stack < largest;
}

/// What lbhm_heap_calls found.
int read_stack(Way& way, const Thread& thread) {
  lbhm_heap_call calls[Way::most_calls];
  std::uint64_t site = 0;
  const int found = lbhm_heap_calls(way.caller, calls, Way::most_calls, &site);
  for (int i = 0; i < found; ++i) {
    const auto* const at = static_cast<const char*>(calls[i].at);
    if (at < way.stack) continue;  // the caller's own
    if (at >= thread.stack_end) return LBHM_HEAP_UNREADABLE;
    way.call[way.calls++] = {.offset = static_cast<std::uint32_t>(at - way.stack),
                             .low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(calls[i].address))};
  }
  if (found > 0) way.site = count_of(site);
  return found;
}

/// Null: there is none for it, now or ever.
Way* fresh_way(Thread& thread, Caller& caller, const void* code, const char* stack, Way*& first) {
  if (thread.ways_known == Thread::most_ways || !is_on_own_stack(thread, stack)) return nullptr;
  Way& fresh = thread.way[thread.ways_known];
  fresh = {};
  fresh.caller = code;
  fresh.stack = stack;
  const int found = read_stack(fresh, thread);
  if (found == LBHM_HEAP_NEVER) caller.state = Caller::never;
  if (found == LBHM_HEAP_NEVER || found == LBHM_HEAP_NOT_NOW) return nullptr;
  if (found == LBHM_HEAP_UNREADABLE) fresh.calls = 0;
  ++thread.ways_known;
  fresh.next = first;
  return first = &fresh;
}

Arena* arena_of(Thread& thread, std::uint64_t site) {
  for (Arena* arena = thread.arenas; arena != nullptr; arena = arena->next)
    if (arena->site == site) return arena;
  Arena* const arena = arena_for(site, &thread);
  if (arena == nullptr) return nullptr;
  arena->next = thread.arenas;
  return thread.arenas = arena;
}

/// It asked for so many bytes more.
bool may_have_arena(Way& way, std::size_t bytes, std::size_t part) {
  if (way.site == nullptr) return false;
  way.asked += bytes;
  if (in_turns) return way.asked >= part;
  if (!way.site->may_have_arenas.load(std::memory_order_relaxed) && way.asked - way.added >= part)
    add(*way.site, way.asked - std::exchange(way.added, way.asked), minimum);
  return way.site->may_have_arenas.load(std::memory_order_relaxed);
}

/// The way of a request for so many bytes. Null: it is not known.
Way* way_of(Thread& thread, Caller& caller, std::size_t bytes, const void* code, const char* stack, std::size_t part) {
  // The same in every run, wherever code and stacks lie: ways of one place share of_unknown_ways.
  const auto depth = static_cast<std::uintptr_t>(end_of_stack(thread) - stack);
  const std::size_t place =
      hash_of(depth << 12 | (reinterpret_cast<std::uintptr_t>(code) & 0xfff), std::size(thread.ways));
  for (Way* way = thread.ways[place]; way != nullptr; way = way->next)
    if (way->is_this(code, stack)) return way;
  std::uint32_t& unknown = thread.of_unknown_ways[place];
  if (unknown + bytes < part) {
    unknown += static_cast<std::uint32_t>(bytes);
    return nullptr;
  }
  Way* const way = fresh_way(thread, caller, code, stack, thread.ways[place]);
  if (way != nullptr) way->asked = unknown;
  unknown = 0;
  return way;
}

void* block_of(Thread& thread, std::size_t bytes, const void* code, const char* stack) {
  const std::size_t part = minimum / (in_turns ? std::min<std::size_t>(lbhm_heap_team_size(), most_parts) : most_parts);
  Caller* const caller = caller_at(thread, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code)));
  if (caller == nullptr || caller->state == Caller::never) return nullptr;
  if (caller->state < Caller::last_way) {
    caller->state = static_cast<std::uint32_t>(std::min(caller->state + bytes, part));
    if (caller->state < part) return nullptr;
  }
  Way* const way = way_of(thread, *caller, bytes, code, stack, part);
  if (way == nullptr) return nullptr;
  caller->state = Caller::last_way + static_cast<std::uint32_t>(way - thread.way);
  if (way->arena == nullptr) {
    if (!may_have_arena(*way, bytes, part)) return nullptr;
    way->arena = arena_of(thread, way->site->site.load(std::memory_order_relaxed));
  }
  return way->arena ? take_block(*way->arena, class_of(bytes)) : nullptr;
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
