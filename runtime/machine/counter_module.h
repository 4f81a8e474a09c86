// What a module that counts hardware events offers. Counters opens it at run time, so that nothing of LB-HM needs the
// library behind it; the tests bring a double of their own.
#pragma once

namespace lbhm::host {

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
