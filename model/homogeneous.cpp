// Time of a task with all accesses in one memory: section 5.2 of the paper.
// The paper measures basic blocks offline on each memory. We start from the base instance on whatever mix it ran on:
// only the time in which a task waited for memory depends on the memory.
//
// Time of a task for every share of its accesses in fast memory: section 5 of the paper, Eq. 2.
#include <algorithm>
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

/// What one of the two memories contributed to the task.
struct Part {
  double accesses = 0;
  double latency_sum = 0;  ///< accesses * mean latency

  double mean_latency() const { return accesses > 0 ? latency_sum / accesses : 0; }
};

struct Parts {
  Part fast, slow;
  double latency_sum() const { return fast.latency_sum + slow.latency_sum; }
};

/// Tiers between or beside the pair count as slow memory: their accesses, too, could move up.
Parts split(const TaskProfile& profile, TierId fast) {
  Parts parts;
  for (std::size_t tier = 0; tier < profile.tiers.size(); ++tier) {
    const double accesses = model::amount(profile.tiers[tier].accesses.value);
    const double latency = model::amount(profile.tiers[tier].mean_latency.value);
    Part& part = tier == fast.value ? parts.fast : parts.slow;
    part.accesses += accesses;
    part.latency_sum = model::amount(part.latency_sum + accesses * latency);
  }
  return parts;
}

/// Share of sequential accesses, told by the mean latency between those of the two kinds; a half if the memory
/// answers both alike.
double sequential_share(double mean, Nanoseconds sequential, Nanoseconds random) {
  if (!(random > sequential)) return 0.5;
  return model::share((random.value - mean) / (random.value - sequential.value));
}

/// How many times longer the waiting takes in slow memory than in fast memory.
double slowdown(double sequential, double utilisation, const MemoryPair& memory) {
  const double latency_ratio =
      sequential * model::factor(memory.sequential_ratio) + (1 - sequential) * model::factor(memory.random_ratio);
  return (1 - utilisation) * latency_ratio + utilisation * model::factor(memory.bandwidth_ratio);
}

/// Time in which the task waited for memory. If the machine cannot count it, as if no two accesses overlapped.
double waiting(const TaskProfile& profile, double time, double latency_sum, double cycles_per_nanosecond) {
  const double cycles = profile.events.memory_wait_cycles;
  const bool counted = cycles >= 0 && cycles_per_nanosecond > 0;
  return std::min(time, model::amount(counted ? cycles / cycles_per_nanosecond : latency_sum));
}

bool alike(const MemoryPair& memory) {
  return memory.sequential_ratio == 1 && memory.random_ratio == 1 && memory.bandwidth_ratio == 1;
}

/// How many times longer accesses wait in slow memory than in idle fast memory, if they queue there: their mean latency
/// is longer than that of unrelated lines in idle memory. They may queue for bandwidth that a count of lines does not
/// show, where memory moves larger blocks. 1 if they do not queue.
double queueing(double mean, const MemoryPair& memory) {
  if (alike(memory) || !(memory.slow_random.value > 0) || !(mean > memory.slow_random.value)) return 1;
  return model::factor(memory.random_ratio) * model::factor(mean / memory.slow_random.value);
}

/// No placement is faster than this. By the paper's rationale (1) it is the faster of the two homogeneous times. As far
/// as a task is bound by bandwidth (b), both memories at once serve it in 1 / (1 / T_slow + 1 / T_fast).
double fastest_possible(double slow, double fast, double b) {
  const double side_by_side = slow + fast > 0 ? slow / (slow + fast) * fast : 0;
  return (1 - b) * std::min(slow, fast) + b * side_by_side;
}

/// More fast accesses never take longer on a machine whose fast tier is faster in everything; what a trained f says is
/// not that smooth. Nobody has to use all fast memory that there is, so the best share up to r is what r can give.
void never_rise(std::array<Nanoseconds, TaskTimes::points>& curve) {
  for (std::size_t point = 1; point < curve.size(); ++point) curve[point] = std::min(curve[point], curve[point - 1]);
}

}  // namespace

HomogeneousTimes homogeneous_times(const TaskProfile& profile, const MemoryPair& memory, double slow_utilisation,
                                   double cycles_per_nanosecond) {
  const double time = model::amount(profile.time.value);
  const Parts parts = split(profile, memory.fast);
  // Nobody saw the task access memory: there is nothing to move that could change its time.
  if (!(parts.latency_sum() > 0)) return {Nanoseconds(time), Nanoseconds(time), 0};

  const double utilisation = model::share(slow_utilisation);
  const double wait = waiting(profile, time, parts.latency_sum(), cycles_per_nanosecond);
  const double wait_fast = wait * (parts.fast.latency_sum / parts.latency_sum());
  const double wait_slow = wait - wait_fast;
  const double fast_sequential =
      sequential_share(parts.fast.mean_latency(), memory.fast_sequential, memory.fast_random);
  const double slow_sequential =
      sequential_share(parts.slow.mean_latency(), memory.slow_sequential, memory.slow_random);
  const double fast_ratio = slowdown(fast_sequential, utilisation, memory);
  const double slow_ratio = slowdown(slow_sequential, utilisation, memory);

  const double compute = time - wait;
  const double queued = queueing(parts.slow.mean_latency(), memory);
  const double slow_only = model::amount(compute + wait_slow + wait_fast * std::max(fast_ratio, queued));
  // What all tasks asked of slow memory takes fast memory this long, even if nothing else does.
  const double transfer = utilisation * time / model::factor(memory.bandwidth_ratio);
  const double unlimited = compute + wait_fast + wait_slow / std::max(slow_ratio, queued);
  const double fast_only = model::amount(std::max(unlimited, std::min(transfer, slow_only)));

  // Two memories that work side by side shorten the waiting, not the computing. Of the shares of waiting in the two
  // times the smaller one is taken, so that the gain is never overstated. Equal memories are one memory to us: what
  // was measured for one of them says nothing about having two.
  const double shorter = std::min(slow_only, fast_only);
  const double wait_share = shorter > 0 ? model::share((shorter - compute) / shorter) : 0;
  const double bound = alike(memory) ? 0 : utilisation * wait_share;
  return {Nanoseconds(slow_only), Nanoseconds(fast_only), bound};
}

TaskTimes predict_times(LaneId lane, const HomogeneousTimes& base, double scale, const CorrelationFeatures& features,
                        const Correlation& f, double shift) {
  const double growth = std::isfinite(scale) && scale >= 0 ? scale : 1;
  const double slow = model::amount(model::amount(base.slow_only.value) * growth);
  const double fast = model::amount(model::amount(base.fast_only.value) * growth);
  const double b = model::share(base.bandwidth_bound);

  std::array<double, TaskTimes::points> correlation;
  correlation.fill(1);
  f.evaluate(features, {Nanoseconds(slow), Nanoseconds(fast), b}, correlation);

  TaskTimes times{lane, Nanoseconds(slow), Nanoseconds(fast), {}};
  const double lowest = fastest_possible(slow, fast, b), highest = std::max(slow, fast);
  for (std::size_t point = 0; point < TaskTimes::points; ++point) {
    const double r = TaskTimes::share(point);
    const double c = (std::isfinite(correlation[point]) ? correlation[point] : 1) + shift * r;
    // Eq. 2: T_hybrid = T_slow * (1 - r) * f(PMCs, r) + T_fast * r
    times.curve[point] = Nanoseconds(std::clamp(slow * (1 - r) * c + fast * r, lowest, highest));
  }
  // At the ends all accesses are in one memory, whatever f says.
  times.curve.front() = times.slow_only;
  times.curve.back() = times.fast_only;
  if (fast <= slow) never_rise(times.curve);
  return times;
}

Nanoseconds time_at(const TaskTimes& times, double share) {
  const double position = model::share(share) * (TaskTimes::points - 1);
  const auto left = std::min(static_cast<std::size_t>(position), TaskTimes::points - 2);
  const double weight = position - static_cast<double>(left);
  return times.curve[left] * (1 - weight) + times.curve[left + 1] * weight;
}

}  // namespace lbhm
