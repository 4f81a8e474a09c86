#include "runtime/knowledge/forecast.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "model/learned/learned.h"

namespace lbhm {
namespace {

/// Of an object, that its pages are told apart by at most: what a plan takes grows with them.
constexpr std::uint64_t most_extents = 64;

double ratio(Nanoseconds slow, Nanoseconds fast) { return fast.value > 0 ? slow / fast : 1; }

/// To objects of the list, all of them.
AccessCount counted(const TaskProfile& task) {
  AccessCount sum;
  for (const PageCount& page : task.pages) sum += page.count;
  return sum;
}

/// Share of the longest task's time for which the slow tier was busy with what all tasks of the phase asked of it
/// (between the regions nobody asks): every access reads a line (a store reads it for ownership), and the line of a
/// store is written back later.
double slow_utilisation(const PhaseProfile& profile, const Topology& topology) {
  const Tier& slow = topology.tiers.back();
  if (!(profile.time.value > 0) || !(slow.read_bandwidth.value > 0) || !(slow.write_bandwidth.value > 0)) return 0;
  double reads = 0, writes = 0;
  for (const TaskProfile& task : profile.tasks) {
    reads += task.tiers.back().accesses.value;
    writes += task.tiers.back().writes.value;
  }
  const double busy = static_cast<double>(topology.line.value) *
                      (reads / slow.read_bandwidth.value + writes / slow.write_bandwidth.value);
  double at_work = 0;
  for (const TaskProfile& task : profile.tasks) at_work = std::max(at_work, task.time.value);
  return at_work > 0 ? std::min(1.0, busy / at_work) : 0;
}

/// Lines that `accesses` move, against what slow memory can deliver in `time`. NaN where there is none.
double use_of(const Topology& topology, AccessCount accesses, Nanoseconds time) {
  const double possible = topology.tiers.back().read_bandwidth.value * time.value;
  if (!(possible > 0)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(topology.line.value) * accesses.value / possible;
}

/// By task.
std::vector<Traffic> traffic_of(const PhaseProfile& profile, const Topology& topology) {
  std::vector<AccessCount> accesses(profile.tasks.size());
  AccessCount all;
  Nanoseconds longest;
  double lanes = 0;
  for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
    for (const TierShare& tier : profile.tasks[i].tiers) accesses[i] += tier.accesses;
    all += accesses[i];
    longest = std::max(longest, profile.tasks[i].time);
    lanes += profile.tasks[i].time.value > 0 ? 1 : 0;
  }
  std::vector<Traffic> traffic;
  traffic.reserve(profile.tasks.size());
  for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
    const Nanoseconds time = profile.tasks[i].time;
    traffic.push_back({.all_use = use_of(topology, all, longest),
                       .own_use = use_of(topology, accesses[i], time),
                       .rate = time.value > 0 ? accesses[i].value / time.value : 0,
                       .lanes = lanes > 0 ? lanes : std::numeric_limits<double>::quiet_NaN()});
  }
  return traffic;
}

/// Share of the task's accesses in a tier; NaN without any.
double share_in(const TaskProfile& task, TierId tier) {
  double all = 0;
  for (const TierShare& each : task.tiers) all += each.accesses.value;
  return all > 0 && tier.value < task.tiers.size() ? task.tiers[tier.value].accesses.value / all
                                                   : std::numeric_limits<double>::quiet_NaN();
}

/// The fast-only time as f knows it. What f was trained on ran in slow memory; of another mix the part that did counts.
HomogeneousTimes with_fast_time(HomogeneousTimes derived, const TaskProfile& task, const Traffic& traffic,
                                const Correlation& f) {
  const double in_fast = share_in(task, TierId(0));
  if (!(in_fast < 1)) return derived;
  const double factor = std::pow(f.fast_time(correlation_features(task.events, traffic, derived)), 1 - in_fast);
  if (std::isfinite(factor)) derived.fast_only = std::min(derived.fast_only * factor, derived.slow_only);
  return derived;
}

/// alpha of Eq. 1 by slot, of the objects that the task accessed; empty, which stands for 1, if nothing is known of
/// them. `pages` are sorted by slot.
std::vector<double> alphas(const InputModel& input, std::size_t task, std::span<const PageCount> pages,
                           std::span<const Bytes> base, std::span<const Bytes> now, Bytes line) {
  std::vector<double> by_slot;
  if (task >= input.objects.size()) return by_slot;
  const auto& objects = input.objects[task];
  const std::size_t slots = std::min({objects.size(), base.size(), now.size()});
  by_slot.assign(slots, 1);
  while (!pages.empty() && pages.front().slot.value < slots) {
    const ObjectSlot slot = pages.front().slot;
    by_slot[slot.value] = alpha_of(objects[slot.value], base[slot.value], now[slot.value], line, *input.stencils);
    const auto next = std::ranges::partition_point(pages, [&](const PageCount& page) { return page.slot <= slot; });
    pages = {next, pages.end()};
  }
  return by_slot;
}

/// The task as if all that it accessed in tiers that are neither `fast` nor the slowest had lain in the slowest: its
/// waits for them grow as the idle latencies do (an assumption). Nothing if it accessed none; without its pages.
std::optional<TaskProfile> of_two_tiers(const TaskProfile& task, const Topology& topology, TierId fast) {
  const auto waits = [](const TierShare& tier) { return tier.mean_latency * tier.accesses.value; };
  TaskProfile two{.lane = task.lane, .time = task.time, .events = task.events, .tiers = task.tiers, .pages = {}};
  if (two.tiers.size() < 3) return std::nullopt;
  Nanoseconds all;
  for (const TierShare& tier : task.tiers) all += waits(tier);
  if (!(all.value > 0)) return std::nullopt;
  const double counted = task.events.memory_wait_cycles / topology.cycles_per_nanosecond;
  const Nanoseconds waited(std::min(task.time.value, counted >= 0 ? counted : all.value));
  TierShare& slowest = two.tiers.back();
  Nanoseconds in_slowest = waits(slowest), longer;
  for (std::size_t i = 0; i + 1 < two.tiers.size(); ++i) {
    if (i == fast.value) continue;
    TierShare& other = two.tiers[i];
    const double factor = ratio(topology.tiers.back().latency_random, topology.tiers[i].latency_random);
    longer += waited * (waits(other) / all) * (factor - 1);
    in_slowest += waits(other) * factor;
    slowest.accesses += other.accesses;
    slowest.writes += other.writes;
    other = {};
  }
  if (slowest.accesses.value > 0) slowest.mean_latency = in_slowest / slowest.accesses.value;
  two.time += longer;
  if (two.events.memory_wait_cycles >= 0)
    two.events.memory_wait_cycles += longer.value * topology.cycles_per_nanosecond;
  return two;
}

/// `derived`: from the task's own samples and events. Where the times of its blocks are known in both memories, their
/// ratio leads from the slow-only time to the fast-only one, if the task ran in slow memory more than in fast memory.
SeenTimes seen_of(const TaskProfile& task, const HomogeneousTimes& derived, std::span<const BlockFacts> facts,
                  const InputScale& scale) {
  SeenTimes seen = seen_times(task.time, derived, scale);
  seen.share = share_in(task, TierId(0));
  if (std::abs(seen.fast_change) < std::abs(seen.slow_change) || !block_time(task.blocks, facts)) return seen;
  seen.times = with_block_times(derived, task.blocks, facts);
  seen.fast_change = seen.slow_change;
  return seen;
}

}  // namespace

std::vector<Bytes> sizes_of(std::span<const SlotRange> objects) {
  std::vector<Bytes> sizes;
  for (const SlotRange& object : objects) sizes.push_back(reckoned_size(object.bytes));
  return sizes;
}

MemoryPair memory_pair(const Topology& topology, TierId tier) {
  const Tier& fast = topology.tiers[tier.value];
  const Tier& slow = topology.tiers.back();
  return {.fast = tier,
          .slow = TierId(static_cast<std::uint8_t>(topology.tiers.size() - 1)),
          .sequential_ratio = ratio(slow.latency_sequential, fast.latency_sequential),
          .random_ratio = ratio(slow.latency_random, fast.latency_random),
          .bandwidth_ratio = slow.read_bandwidth.value > 0 ? fast.read_bandwidth / slow.read_bandwidth : 1,
          .fast_sequential = fast.latency_sequential,
          .fast_random = fast.latency_random,
          .slow_sequential = slow.latency_sequential,
          .slow_random = slow.latency_random};
}

std::vector<AccessEstimate> expected_accesses(const PhaseProfile& profile, std::span<const Bytes> now,
                                              const Topology& topology, const InputModel& input) {
  std::vector<AccessEstimate> estimates;
  estimates.reserve(profile.tasks.size());
  for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
    const TaskProfile& task = profile.tasks[i];
    const std::vector<double> alpha = alphas(input, i, task.pages, profile.object_bytes, now, topology.line);
    estimates.push_back(estimate_accesses(task, profile.object_bytes, now, alpha, topology.page, most_extents));
  }
  return estimates;
}

std::vector<HomogeneousTimes> homogeneous_of(const PhaseProfile& profile, const Topology& topology,
                                             std::span<const BlockFacts> facts, TierId fast, const Correlation& f) {
  const MemoryPair memory = memory_pair(topology, fast);
  const double utilisation = slow_utilisation(profile, topology);
  const std::vector<Traffic> traffic = traffic_of(profile, topology);
  std::vector<HomogeneousTimes> times;
  times.reserve(profile.tasks.size());
  for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
    const TaskProfile& task = profile.tasks[i];
    const std::optional<TaskProfile> of_pair = of_two_tiers(task, topology, fast);
    HomogeneousTimes derived =
        homogeneous_times(of_pair ? *of_pair : task, memory, utilisation, topology.cycles_per_nanosecond);
    if (fast == TierId(0)) derived = with_fast_time(derived, task, traffic[i], f);
    times.push_back(with_block_times(derived, task.blocks, facts));
  }
  return times;
}

std::vector<double> growth_of_accesses(const PhaseProfile& profile, std::span<const AccessEstimate> expected) {
  std::vector<double> growth;
  growth.reserve(expected.size());
  for (std::size_t task = 0; task < std::min(expected.size(), profile.tasks.size()); ++task)
    growth.push_back(expected[task].total / counted(profile.tasks[task]));
  return growth;
}

InputScale bounded_scale(const InputScale& scale, double accesses, const HomogeneousTimes& base,
                         const TaskProfile& profile, double cycles_per_nanosecond) {
  const double waited = profile.events.memory_wait_cycles / cycles_per_nanosecond;
  if (!(accesses > 0) || !std::isfinite(accesses) || !(waited >= 0)) return scale;
  const double computed = std::max(0.0, profile.time.value - waited);
  const auto bounded = [&](double blocks, Nanoseconds time) {
    if (blocks <= accesses || !(time.value > computed)) return blocks;
    return (computed * blocks + (time.value - computed) * accesses) / time.value;
  };
  return {bounded(scale.slow, base.slow_only), bounded(scale.fast, base.fast_only)};
}

std::vector<SeenTimes> seen_in_base(const PhaseProfile& base, const Topology& topology,
                                    std::span<const BlockFacts> facts, const Correlation& f) {
  const std::vector<HomogeneousTimes> derived = homogeneous_of(base, topology, facts, TierId(0), f);
  std::vector<SeenTimes> seen;
  seen.reserve(derived.size());
  for (std::size_t i = 0; i < derived.size(); ++i) seen.push_back(seen_of(base.tasks[i], derived[i], facts, {1, 1}));
  return seen;
}

std::vector<SeenTimes> seen_in(const PhaseProfile& instance, const PhaseProfile& base, const Topology& topology,
                               const InputModel& input) {
  const std::vector<HomogeneousTimes> derived = homogeneous_of(instance, topology, {}, TierId(0), *input.f);
  const std::vector<InputScale> scales = input_scales(base, instance.object_bytes, *input.blocks, InputScaling::sizes);
  const std::vector<double> growth =
      growth_of_accesses(base, expected_accesses(base, instance.object_bytes, topology, input));
  std::vector<SeenTimes> seen;
  for (std::size_t i = 0; i < std::min(derived.size(), scales.size()); ++i) {
    const TaskProfile& task = instance.tasks[i];
    // Without samples it is unknown where it ran.
    const bool sampled = std::ranges::any_of(task.tiers, [](const TierShare& tier) { return tier.accesses.value > 0; });
    // By Eq. 1, as of the next instance: what was counted is too few samples where they are sparse.
    const InputScale scale =
        bounded_scale(scales[i], growth[i], input.base[i].times, base.tasks[i], topology.cycles_per_nanosecond);
    seen.push_back(sampled ? seen_of(task, derived[i], input.blocks->facts, scale) : SeenTimes{});
  }
  return seen;
}

std::vector<HomogeneousTimes> homogeneous_forecast(const PhaseProfile& profile, std::span<const Bytes> now,
                                                   const Topology& topology, const InputModel& input,
                                                   InputScaling scaling, std::span<const double> growth) {
  const bool ours = scaling == InputScaling::sizes;
  std::vector<InputScale> scales = input_scales(profile, now, *input.blocks, scaling);
  for (std::size_t i = 0; ours && i < std::min(growth.size(), scales.size()); ++i)
    scales[i] =
        bounded_scale(scales[i], growth[i], input.base[i].times, profile.tasks[i], topology.cycles_per_nanosecond);
  std::vector<HomogeneousTimes> times;
  times.reserve(input.base.size());
  for (std::size_t i = 0; i < input.base.size(); ++i)
    times.push_back(ours && i < input.times.size() ? refined(input.base[i], input.times[i], scales[i])
                                                   : scaled(input.base[i].times, scales[i]));
  return times;
}

/// What instances behind the base showed of f, by task; empty where there are none, or the paper's rule of scaling
/// knows the base alone.
static std::vector<Shift> shifts_of(const PhaseProfile& profile, const Topology& topology, const InputModel& input) {
  std::vector<Shift> shifts;
  if (input.scaling != InputScaling::sizes || input.times.empty()) return shifts;
  const std::vector<Traffic> traffic = traffic_of(profile, topology);
  for (std::size_t i = 0; i < std::min(input.base.size(), input.times.size()); ++i) {
    const CorrelationFeatures features = correlation_features(profile.tasks[i].events, traffic[i], input.base[i].times);
    shifts.push_back(shown_shift(input.base[i], input.times[i], features, *input.f));
  }
  return shifts;
}

std::vector<TaskTimes> hybrid_forecast(const PhaseProfile& profile, std::span<const HomogeneousTimes> times,
                                       const Topology& topology, const Correlation& f, std::span<const Shift> shifts) {
  const std::vector<Traffic> traffic = traffic_of(profile, topology);
  std::vector<TaskTimes> curves;
  curves.reserve(profile.tasks.size());
  for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
    const TaskProfile& task = profile.tasks[i];
    curves.push_back(predict_times(task.lane, times[i], 1, correlation_features(task.events, traffic[i], times[i]), f,
                                   i < shifts.size() ? shifts[i].slope : 0));
  }
  return curves;
}

std::vector<TaskTimes> middle_forecast(const PhaseProfile& profile, std::span<const HomogeneousTimes> slow,
                                       const Topology& topology, TierId tier, const Correlation& f) {
  std::vector<HomogeneousTimes> times = homogeneous_of(profile, topology, {}, tier);
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i].fast_only = slow[i].slow_only * ratio(times[i].fast_only, times[i].slow_only);
    times[i].slow_only = slow[i].slow_only;
  }
  return hybrid_forecast(profile, times, topology, f);
}

PhaseForecast forecast_on(std::span<const SlotRange> objects, const Topology& topology, std::span<const Bytes> rooms) {
  PhaseForecast phase;
  phase.page = topology.page;
  phase.room = rooms[0];
  phase.slowest = TierId(static_cast<std::uint8_t>(topology.tiers.size() - 1));
  phase.bytes = sizes_of(objects);
  for (const SlotRange& object : objects)
    phase.objects.push_back(object.address / topology.page.value * topology.page.value);
  for (std::uint8_t tier = 1; tier < phase.slowest.value; ++tier)
    phase.middle.push_back({TierId(tier), rooms[tier], {}});
  return phase;
}

void add_tasks(const PhaseProfile& profile, const Topology& topology, const InputModel& input, PhaseForecast& phase) {
  auto accesses = expected_accesses(profile, phase.bytes, topology, input);
  const auto times =
      homogeneous_forecast(profile, phase.bytes, topology, input, input.scaling, growth_of_accesses(profile, accesses));
  const std::vector<Shift> shifts = shifts_of(profile, topology, input);
  const auto curves = hybrid_forecast(profile, times, topology, *input.f, shifts);
  for (MiddleTier& tier : phase.middle)
    std::ranges::move(middle_forecast(profile, times, topology, tier.tier, *input.f), std::back_inserter(tier.times));
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const double samples = profile.tasks[i].samples;
    phase.tasks.push_back({.times = curves[i],
                           .accesses = std::move(accesses[i]),
                           .accesses_a_sample = samples > 0 ? accesses[i].total.value / samples : 0,
                           .shift = i < shifts.size() ? shifts[i] : Shift{}});
  }
}

}  // namespace lbhm
