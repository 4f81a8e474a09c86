// The events of one thread, as our counts.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/machine/counter_events.h"
#include "runtime/machine/counter_module.h"

namespace lbhm::host {

/// No event is counted.
EventCounts no_counts();
/// Adds what both can count; what one of them cannot becomes negative.
void add_counts(EventCounts& sum, const EventCounts& more);

class ThreadCounters {
 public:
  /// Begins to count the calling thread. `choice` and `module` outlive the object.
  ThreadCounters(const CounterModule& module, const EventChoice& choice);

  bool counting() const { return set_ != nullptr; }
  bool takes_turns() const { return turns_ != 0; }
  /// Events of the choice that are not counted, though others are.
  std::vector<std::string> left_out() const;
  /// Reads the counters; by the thread that made the object.
  EventCounts read();
  /// The thread ends, or is not to be counted any more; by the thread itself.
  void stop();
  /// What was read last; by any thread.
  EventCounts last() const;

 private:
  const CounterModule& module_;
  const EventChoice& choice_;
  CounterSet* set_ = nullptr;
  int turns_ = 0;
  std::array<unsigned char, most_counter_events> counted_{};
  mutable std::mutex lock_;  // of last_
  EventCounts last_ = no_counts();
};

}  // namespace lbhm::host
