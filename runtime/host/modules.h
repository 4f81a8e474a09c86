// Modules that liblbhm.so opens at run time, so that nothing of LB-HM needs the libraries behind them, and what they
// offer: heaps (mimalloc, memkind), counters of events (PAPI). hwloc's is hwloc_module.h.
#pragma once

#include <cstddef>
#include <string>

#include "runtime/base/status.h"

namespace lbhm::host {

/// dlopen of what LB-HM itself uses: RTLD_LOCAL, and all symbols now. Null: dlerror says why. Nobody forks
/// meanwhile: in a child that was forked within a dlopen the next one ends the program (libomp calls it there).
void* open_library(const char* path);

/// The function `entry` of the module `file` in `folder`. The module stays open for ever.
/// Errors: unavailable, with a sentence that names `package`, Debian's package of the library behind the module.
Result<void*> open_module(const std::string& folder, const char* file, const char* entry, const char* package);

/// Functions, not null. None throws; any thread may call them at any time.
struct HeapModule {
  /// Takes `memory` to divide it, for ever; begin and size are multiples of heap_grain. Negative: not possible.
  int (*add)(void* memory, std::size_t bytes);
  /// A heap of the calling thread, or of all threads, that lies in that memory alone. Null: not possible. When the
  /// thread ends its heap goes, and its blocks stay.
  void* (*thread_heap)(int memory);
  /// By the heap's thread. Aligned to 16. Null: no room.
  void* (*allocate)(void* heap, std::size_t bytes);
  /// By any thread; `memory` as add gave it.
  void (*release)(int memory, void* block);
};

/// mimalloc 2 takes so much memory at once for a thread (MI_SEGMENT_SIZE).
inline constexpr std::size_t heap_grain = std::size_t{32} << 20;

/// The one function of each such module. It returns null if the library is of a version that we do not know.
using HeapModuleEntry = const HeapModule* (*)();
inline constexpr const char* heap_module_entry = "lbhm_heap_v2";

/// Events counted in one thread; the module knows what is behind it.
struct CounterSet;

/// Functions, not null. None throws; each is called by the thread that it speaks of.
struct CounterModule {
  /// Called first, once. Null when events can be counted here, otherwise why none can.
  const char* (*begin)();
  /// Nonzero: this processor can count the event of that name.
  int (*can_count)(const char* event);
  /// Begins to count in the calling thread. counted[i]: nonzero if events[i] is counted. *turns: nonzero if there are
  /// more events than counters, so that they take turns and counts are scaled. Where they cannot take turns the first
  /// ones are counted. Null: nothing is counted.
  CounterSet* (*start)(const char* const* events, int count, unsigned char* counted, int* turns);
  /// values[i]: of events[i] since start, where it is counted. Zero: done.
  int (*read)(CounterSet* set, long long* values);
  /// The set is gone afterwards.
  void (*stop)(CounterSet* set);
};

/// The most events of a set.
inline constexpr int most_counter_events = 64;

/// The one function of liblbhm-papi.so.
using CounterModuleEntry = const CounterModule* (*)();
inline constexpr const char* counter_module_entry = "lbhm_papi_v1";

}  // namespace lbhm::host
