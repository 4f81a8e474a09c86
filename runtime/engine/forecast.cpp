#include "runtime/engine/forecast.h"

#include <algorithm>

namespace lbhm::engine {
namespace {

double ratio(Nanoseconds slow, Nanoseconds fast) { return fast.value > 0 ? slow / fast : 1; }

/// Share of the slow tier's read bandwidth that all tasks of the scope used together.
double slow_utilisation(const ScopeProfile& profile, const Topology& topology, const MemoryPair& memory) {
  double lines = 0;
  for (const TaskProfile& task : profile.tasks) lines += task.tiers[memory.slow.value].accesses.value;
  const double possible = profile.time.value * memory.slow_bandwidth.value;
  return possible > 0 ? std::min(1.0, lines * static_cast<double>(topology.line.value) / possible) : 0;
}

}  // namespace

MemoryPair memory_pair(const Topology& topology) {
  const Tier& fast = topology.tiers.front();
  const Tier& slow = topology.tiers.back();
  return {.fast = TierId(0),
          .slow = TierId(static_cast<std::uint8_t>(topology.tiers.size() - 1)),
          .sequential_ratio = ratio(slow.latency_sequential, fast.latency_sequential),
          .random_ratio = ratio(slow.latency_random, fast.latency_random),
          .bandwidth_ratio = slow.read_bandwidth.value > 0 ? fast.read_bandwidth / slow.read_bandwidth : 1,
          .fast_sequential = fast.latency_sequential,
          .fast_random = fast.latency_random,
          .slow_sequential = slow.latency_sequential,
          .slow_random = slow.latency_random,
          .slow_bandwidth = slow.read_bandwidth};
}

ScopeForecast forecast(const ScopeProfile& profile, std::span<const SlotRange> objects, const Topology& topology,
                       Bytes fast_capacity, const Correlation& f) {
  const MemoryPair memory = memory_pair(topology);
  const double utilisation = slow_utilisation(profile, topology, memory);
  ScopeForecast scope{.tasks = {}, .objects = {}, .page = topology.page, .fast_capacity = fast_capacity};
  std::vector<Bytes> sizes;
  for (const SlotRange& object : objects) {
    scope.objects.push_back(object.address / topology.page.value * topology.page.value);
    sizes.push_back(object.bytes);
  }
  for (const TaskProfile& task : profile.tasks) {
    AccessEstimate accesses = estimate_accesses(task, profile.object_bytes, sizes, {}, topology.page);
    AccessCount base;
    for (const PageCount& page : task.pages) base += page.count;
    // Section 5.2 predicts the homogeneous times of a new input. Until basic blocks are counted, a task's time grows
    // as its estimated memory accesses do (docs/model.md, "Time of a new input").
    const double scale = base.value > 0 ? accesses.total / base : 1;
    const HomogeneousTimes homogeneous = homogeneous_times(task, memory, utilisation, topology.cycles_per_nanosecond);
    scope.tasks.push_back({.times = predict_times(task.lane, homogeneous, scale, task_events(task.events), f),
                           .accesses = std::move(accesses)});
  }
  return scope;
}

}  // namespace lbhm::engine
