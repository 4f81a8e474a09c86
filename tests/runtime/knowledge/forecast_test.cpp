// Does the base instance of a phase predict its next one?
#include "runtime/knowledge/forecast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/runtime/knowledge/two_tiers.h"

namespace lbhm {
namespace {

Topology two_tiers() { return two_tier_machine(2, {Nanoseconds(400), BytesPerNanosecond(25), BytesPerNanosecond(20)}); }

/// One lane, all in slow memory: 1,000 random accesses, 1 ms, of which 0.8 ms it waited.
PhaseProfile latency_bound_profile() {
  TaskProfile task{.lane = LaneId(0),
                   .time = Nanoseconds(1e6),
                   .events = {},
                   .tiers = {{AccessCount(0), Nanoseconds(0), AccessCount(0)},
                             {AccessCount(1000), Nanoseconds(400), AccessCount(0)}},
                   .pages = {}};
  task.events.memory_wait_cycles = 0.8e6 * 2;
  for (std::uint64_t p = 0; p < 10; ++p)
    task.pages.push_back({.slot = ObjectSlot(0), .page = PageIndex(p), .count = AccessCount(100)});
  return {.tasks = {task}, .object_bytes = {KiB(40)}, .time = Nanoseconds(1e6)};
}

PhaseForecast next(const PhaseProfile& profile, std::span<const SlotRange> objects) {
  const std::vector<SeenTimes> base = seen_in_base(profile, two_tiers(), {});
  PhaseForecast phase = forecast_on(objects, two_tiers(), std::vector{MiB(1), GiB(1)});
  add_tasks(profile, two_tiers(), {.objects = {}, .base = base}, phase);
  return phase;
}

std::vector<SlotRange> object_of(Bytes bytes) { return {{.slot = ObjectSlot(0), .address = 0x10000, .bytes = bytes}}; }

TEST(Forecast, SameInputTakesTheSameTimeInTheSameMemory) {
  const auto phase = next(latency_bound_profile(), object_of(KiB(40)));
  ASSERT_EQ(phase.tasks.size(), 1u);
  EXPECT_NEAR(phase.tasks[0].times.slow_only.value, 1e6, 1e6 * 0.01);
  // All in fast memory the waits shrink from 400 ns to 100 ns: 0.2 ms + 0.8 ms / 4.
  EXPECT_NEAR(phase.tasks[0].times.fast_only.value, 0.4e6, 0.4e6 * 0.01);
  EXPECT_NEAR(phase.tasks[0].accesses.total.value, 1000, 1e-6);
}

TEST(Forecast, TwiceTheObjectIsTwiceTheAccessesAndTheTime) {
  const auto phase = next(latency_bound_profile(), object_of(KiB(80)));
  EXPECT_NEAR(phase.tasks[0].accesses.total.value, 2000, 1e-6);
  EXPECT_NEAR(phase.tasks[0].times.slow_only.value, 2e6, 2e6 * 0.01);
}

/// As above, but neighbouring lines, `reads` of them, of which `writes` were stores. 1 ms of reading is 390,625 lines,
/// 1 ms of writing back 312,500.
PhaseProfile bandwidth_bound_profile(double reads, double writes) {
  PhaseProfile profile = latency_bound_profile();
  profile.tasks[0].tiers[1] = {AccessCount(reads), Nanoseconds(200), AccessCount(writes)};
  return profile;
}

/// How many times longer the 0.8 ms of waiting took in slow memory than they would in fast memory. Without other
/// traffic it is the ratio of sequential latencies, 2; when slow memory is busy all the time the ratio of
/// bandwidths, 4.
double predicted_slowdown(const PhaseProfile& profile) {
  const auto phase = next(profile, object_of(KiB(40)));
  return 0.8e6 / (phase.tasks[0].times.fast_only.value - 0.2e6);
}

TEST(Forecast, ReadsAndWritesTogetherSayHowBusySlowMemoryWas) {
  EXPECT_NEAR(predicted_slowdown(bandwidth_bound_profile(1, 0)), 2, 0.001);
  EXPECT_NEAR(predicted_slowdown(bandwidth_bound_profile(390'625 / 2.0, 0)), 3, 0.001);
  // A store reads its line and writes it back later: a half for reading, a quarter for writing.
  EXPECT_NEAR(predicted_slowdown(bandwidth_bound_profile(390'625 / 2.0, 312'500 / 4.0)), 3.5, 0.001);
  EXPECT_NEAR(predicted_slowdown(bandwidth_bound_profile(390'625 * 3.0, 0)), 4, 0.001);
}

TEST(Forecast, AllTasksTogetherKeepSlowMemoryBusy) {
  PhaseProfile profile = bandwidth_bound_profile(390'625 / 4.0, 0);
  profile.tasks.push_back(profile.tasks[0]);
  profile.tasks[1].lane = LaneId(1);
  EXPECT_NEAR(predicted_slowdown(profile), 3, 0.001);
}

/// The same task with everything in fast memory, where it took `time`.
PhaseProfile in_fast_memory(double time) {
  PhaseProfile profile = latency_bound_profile();
  TaskProfile& task = profile.tasks[0];
  task.time = profile.time = Nanoseconds(time);
  task.tiers = {{AccessCount(1000), Nanoseconds(100), AccessCount(0)},
                {AccessCount(0), Nanoseconds(0), AccessCount(0)}};
  task.events.memory_wait_cycles = 0.1e6 * 2;
  return profile;
}

/// Knows that T_fast is half of what is derived.
class HalfOfDerived final : public Correlation {
 public:
  std::string_view name() const override { return "half"; }
  void evaluate(const CorrelationFeatures&, const HomogeneousTimes&,
                std::span<double, TaskTimes::points> f) const override {
    std::ranges::fill(f, 1);
  }
  double fast_time(const CorrelationFeatures&) const override { return 0.5; }
};

TEST(Forecast, AModelCorrectsTheFastOnlyTimeAsFarAsTheBaseRanInSlowMemory) {
  const HalfOfDerived half;
  const auto slow = homogeneous_of(latency_bound_profile(), two_tiers(), {}, TierId(0), half);
  EXPECT_NEAR(slow[0].fast_only.value, 0.2e6, 1);
  EXPECT_NEAR(slow[0].slow_only.value, 1e6, 1);
  const auto fast = homogeneous_of(in_fast_memory(0.25e6), two_tiers(), {}, TierId(0), half);
  EXPECT_EQ(fast[0].fast_only.value, 0.25e6) << "measured, not derived";
}

TEST(Forecast, AnInstanceInFastMemoryCorrectsWhatWasDerivedFromSlowMemory) {
  // 0.4 ms are derived, but it took 0.25.
  const PhaseProfile base = latency_bound_profile();
  const std::vector<SeenTimes> seen = seen_in_base(base, two_tiers(), {});
  InputModel input{.objects = {}, .base = seen};
  const std::vector<std::vector<SeenTimes>> later{seen_in(in_fast_memory(0.25e6), base, two_tiers(), input)};
  input.times = later;
  const std::vector<Bytes> same{KiB(40)};
  const auto times = homogeneous_forecast(base, same, two_tiers(), input, InputScaling::sizes);
  EXPECT_NEAR(times[0].fast_only.value, 0.25e6, 0.25e6 * 0.01);
  EXPECT_NEAR(times[0].slow_only.value, 1e6, 1e6 * 0.01);
  // The paper's rule knows the base alone.
  const auto paper = homogeneous_forecast(base, same, two_tiers(), input, InputScaling::cosine);
  EXPECT_NEAR(paper[0].fast_only.value, 0.4e6, 0.4e6 * 0.01);
}

TEST(Forecast, TimesOfBlocksLeadFromSlowMemoryToFastMemory) {
  // Measured offline: a fifth. Both instances ran in slow memory and derive 0.4 ms without that.
  PhaseProfile base = latency_bound_profile();
  base.tasks[0].blocks = {10};
  BlockKnowledge blocks;
  blocks.facts = {{.slow = Nanoseconds(1e5), .fast = Nanoseconds(2e4)}};
  const std::vector<SeenTimes> seen = seen_in_base(base, two_tiers(), blocks.facts);
  InputModel input{.objects = {}, .blocks = &blocks, .base = seen};
  const std::vector<std::vector<SeenTimes>> later{seen_in(base, base, two_tiers(), input)};
  input.times = later;
  const std::vector<Bytes> same{KiB(40)};
  const auto times = homogeneous_forecast(base, same, two_tiers(), input, InputScaling::sizes);
  EXPECT_NEAR(times[0].fast_only.value, 0.2e6, 0.2e6 * 0.01);
}

TEST(Forecast, AnInstanceWithoutSamplesTeachesNoTimes) {
  const PhaseProfile base = latency_bound_profile();
  PhaseProfile unseen = in_fast_memory(3e6);
  for (TierShare& tier : unseen.tasks[0].tiers) tier = {};
  const std::vector<SeenTimes> seen = seen_in_base(base, two_tiers(), {});
  InputModel input{.objects = {}, .base = seen};
  const std::vector<std::vector<SeenTimes>> later{seen_in(unseen, base, two_tiers(), input)};
  input.times = later;
  const std::vector<Bytes> same{KiB(40)};
  const auto times = homogeneous_forecast(base, same, two_tiers(), input, InputScaling::sizes);
  EXPECT_NEAR(times[0].slow_only.value, 1e6, 1e6 * 0.01);
  EXPECT_NEAR(times[0].fast_only.value, 0.4e6, 0.4e6 * 0.01);
}

TEST(Forecast, WhereAccessesGrowLessThanBlocksOnlyComputingGrowsAsTheyDo) {
  // 0.2 of 1 ms is computing. The blocks (7 of them, no law) grow as the object does, 16-fold; a table of fixed size
  // has half of the accesses, so these grow to 8.5 times.
  PhaseProfile base = latency_bound_profile();
  base.tasks[0].blocks = {7};
  base.object_bytes.push_back(KiB(40));
  for (PageCount& page : base.tasks[0].pages) page.count = AccessCount(50);
  for (std::uint64_t p = 0; p < 10; ++p)
    base.tasks[0].pages.push_back({.slot = ObjectSlot(1), .page = PageIndex(p), .count = AccessCount(50)});
  std::vector<SlotRange> now{{.slot = ObjectSlot(0), .address = 0x100000, .bytes = KiB(640)},
                             {.slot = ObjectSlot(1), .address = 0x10000, .bytes = KiB(40)}};
  const auto phase = next(base, now);
  ASSERT_NEAR(phase.tasks[0].accesses.total.value, 8500, 1e-3);
  EXPECT_NEAR(phase.tasks[0].times.slow_only.value, 0.2e6 * 16 + 0.8e6 * 8.5, 1e6 * 0.01);
  EXPECT_NEAR(phase.tasks[0].times.fast_only.value, 0.2e6 * 16 + 0.2e6 * 8.5, 1e6 * 0.01);
}

TEST(Forecast, BlocksThatGrowLessThanAccessesDecide) {
  const HomogeneousTimes times{Nanoseconds(1e6), Nanoseconds(0.4e6)};
  const TaskProfile task = latency_bound_profile().tasks[0];
  const InputScale slower = bounded_scale({2, 2}, 3, times, task, 2);
  EXPECT_EQ(slower.slow, 2);
  EXPECT_EQ(slower.fast, 2);
  const InputScale unknown = bounded_scale({2, 2}, std::nan(""), times, task, 2);
  EXPECT_EQ(unknown.slow, 2);
}

TEST(Forecast, ObjectsBeginAtTheirPage) {
  auto objects = object_of(KiB(40));
  objects[0].address += 16;
  const auto phase = next(latency_bound_profile(), objects);
  EXPECT_EQ(phase.objects[0], 0x10000u);
}

TEST(Forecast, ATaskWithoutSamplesStaysAsItWas) {
  PhaseProfile profile = latency_bound_profile();
  profile.tasks[0].pages.clear();
  const auto phase = next(profile, object_of(KiB(80)));
  EXPECT_NEAR(phase.tasks[0].times.slow_only.value, 1e6, 1e6 * 0.01);
  EXPECT_EQ(phase.tasks[0].accesses.total.value, 0);
}

}  // namespace
}  // namespace lbhm
