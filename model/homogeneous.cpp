// Time of a task with all accesses in one memory: section 5.2 of the paper.
// The paper measures basic blocks offline on each memory. We start from the base instance on whatever mix it ran on:
// only the time in which a task waited for memory depends on the memory.
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
  const double slow_only = model::amount(compute + wait_slow + wait_fast * fast_ratio);
  const double queued = queueing(parts.slow.mean_latency(), memory);
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

}  // namespace lbhm
