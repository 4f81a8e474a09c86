#include "runtime/machine/thread_counters.h"

#include <algorithm>

namespace lbhm::host {

EventCounts no_counts() { return {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}; }

void add_counts(EventCounts& sum, const EventCounts& more) {
  static constexpr std::array members{&EventCounts::instructions,
                                      &EventCounts::cycles,
                                      &EventCounts::memory_wait_cycles,
                                      &EventCounts::l2_load_misses,
                                      &EventCounts::l3_load_misses,
                                      &EventCounts::llc_misses,
                                      &EventCounts::prefetches,
                                      &EventCounts::prefetch_misses,
                                      &EventCounts::branches,
                                      &EventCounts::branch_mispredictions,
                                      &EventCounts::vector_instructions,
                                      &EventCounts::useless_prefetches,
                                      &EventCounts::load_occupancy,
                                      &EventCounts::load_cycles,
                                      &EventCounts::buffers_full_cycles};
  static_assert(sizeof(EventCounts) == members.size() * sizeof(double), "a count is missing");
  for (const auto member : members) {
    const bool both = sum.*member >= 0 && more.*member >= 0;
    sum.*member = both ? sum.*member + more.*member : -1;
  }
}

ThreadCounters::ThreadCounters(const CounterModule& module, const EventChoice& choice)
    : module_(module), choice_(choice) {
  std::vector<const char*> names;
  names.reserve(choice.events.size());
  for (const std::string& event : choice.events) names.push_back(event.c_str());
  if (names.empty() || names.size() > counted_.size()) return;
  set_ = module.start(names.data(), static_cast<int>(names.size()), counted_.data(), &turns_);
  read();
}

EventCounts ThreadCounters::read() {
  std::array<long long, most_counter_events> values{};
  if (!set_ || module_.read(set_, values.data()) != 0) return last();
  const std::scoped_lock guard(lock_);
  for (const ChosenCount& chosen : choice_.counts) {
    double sum = 0;
    bool counted = true;
    for (const int event : chosen.events) {
      const auto index = static_cast<std::size_t>(event);
      counted = counted && counted_[index] != 0;
      sum += static_cast<double>(values[index]);
    }
    // Events that take turns are scaled by the time they had, so a later estimate may be the smaller one.
    if (counted) last_.*chosen.count = std::max(last_.*chosen.count, sum);
  }
  return last_;
}

std::vector<std::string> ThreadCounters::left_out() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; set_ && i < choice_.events.size(); ++i) {
    if (!counted_[i]) names.push_back(choice_.events[i]);
  }
  return names;
}

void ThreadCounters::stop() {
  read();
  if (set_) module_.stop(set_);
  set_ = nullptr;
}

EventCounts ThreadCounters::last() const {
  const std::scoped_lock guard(lock_);
  return last_;
}

}  // namespace lbhm::host
