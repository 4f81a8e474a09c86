// Hardware events of threads, by PAPI.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lbhm/values.h"

namespace lbhm::host {

/// Calls may come from any thread, and speak of the calling one unless they say otherwise. Nothing throws.
class Counters {
 public:
  /// Opens the module that links PAPI. Without it, or without any event, all counts are negative.
  Counters();
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  /// Begins to count the calling thread; later calls of the same thread do nothing.
  void thread_begins();
  /// Since thread_begins; a negative value: not countable here.
  EventCounts of_thread();
  /// Of all threads together. Nothing: no event can be counted.
  std::optional<EventCounts> of_all();
  /// What is missing, each once: sentences for the report.
  std::vector<std::string> remarks() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lbhm::host
