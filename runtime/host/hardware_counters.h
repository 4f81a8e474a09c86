// Hardware events of threads, by PAPI.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/event_fields.h"
#include "runtime/base/values.h"
#include "runtime/host/counter_events.h"
#include "runtime/host/modules.h"

namespace lbhm::host {

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

/// Calls may come from any thread, and speak of the calling one unless they say otherwise. Nothing throws.
///
/// Nothing is opened, and nothing counted, before somebody wants counts: PAPI takes 6 ms to start. Counts never fall,
/// not even where events take turns at the counters and are estimates. A program that uses PAPI itself keeps the
/// counters: nothing is counted then.
class Counters {
 public:
  Counters();
  /// As if they were wanted already: with this module, or with none if it is null; for tests.
  explicit Counters(const CounterModule* module);
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  /// Counts are wanted from now on, of the calling thread, too. The first call opens the module that links PAPI.
  /// Without it, or without any event, all counts are negative.
  void want();
  /// Begins to count the calling thread if counts are wanted; later calls of the same thread do nothing.
  void thread_begins();
  /// Since thread_begins; a negative value: not countable here.
  EventCounts of_thread();
  /// Of all threads together, each as of its last of_thread: the counters of a thread can be read by itself alone.
  /// Nothing: no event can be counted.
  std::optional<EventCounts> of_all();
  /// What is missing, each once: sentences for the report.
  std::vector<std::string> remarks() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // threads that are counted keep it, too
};

}  // namespace lbhm::host
