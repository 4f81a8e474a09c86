// Which events of the processor stand for which of ours.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/base/values.h"

namespace lbhm::host {

/// One of our counts, and the events whose sum it is: indices into EventChoice::events.
struct ChosenCount {
  double EventCounts::* count;
  std::vector<int> events;
};

struct EventChoice {
  std::vector<std::string> events;   ///< to be counted, each once
  std::vector<ChosenCount> counts;   ///< what they give
  std::vector<std::string> missing;  ///< counts of the paper's eight characteristics without any event: "name (event)"
};

/// For each count the first way of the table whose events can all be counted.
EventChoice choose_events(const std::function<bool(const char*)>& can_count);

}  // namespace lbhm::host
