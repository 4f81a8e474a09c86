// Time with all accesses in one memory: golden values by hand, and what must hold for any input.
#include <gtest/gtest.h>

#include <cmath>

#include "model/model.h"
#include "tests/model/any_number.h"
#include "tests/model/memory_pairs.h"

namespace lbhm {
namespace {

TEST(HomogeneousTimes, SequentialTaskInSlowMemory) {
  // 1000 ns, 1200 cycles at 2 a ns = 600 ns of waiting, all in slow memory at its sequential latency: ratio 2.
  const auto times = homogeneous_times(task(1000, 1200, accesses(0, 0), accesses(50, 160)), slow_and_fast(), 0, 2);
  EXPECT_DOUBLE_EQ(times.slow_only.value, 1000);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 400 + 600 / 2.0);
  EXPECT_EQ(times.bandwidth_bound, 0);
}

TEST(HomogeneousTimes, RandomTaskInFastMemory) {
  // 600 ns of waiting in fast memory at its random latency: ratio 4.
  const auto times = homogeneous_times(task(1000, 600, accesses(50, 100), accesses(0, 0)), slow_and_fast(), 0, 1);
  EXPECT_DOUBLE_EQ(times.slow_only.value, 400 + 600 * 4.0);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 1000);
}

TEST(HomogeneousTimes, MixedTaskIsDividedByAccessesTimesLatency) {
  // Weights 30 * 80 = 2400 and 20 * 280 = 5600: of 800 ns, 240 in fast (sequential, ratio 2) and 560 in slow memory
  // (280 lies halfway between 160 and 400: ratio 3).
  const auto times = homogeneous_times(task(1000, 800, accesses(30, 80), accesses(20, 280)), slow_and_fast(), 0, 1);
  EXPECT_DOUBLE_EQ(times.slow_only.value, 200 + 240 * 2.0 + 560);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 200 + 240 + 560 / 3.0);
}

TEST(HomogeneousTimes, UseOfBandwidthPullsTheRatioToThatOfTheBandwidths) {
  // Sequential ratio 2, bandwidth ratio 3, half used: 2.5. All of the task is waiting: half of it is bound.
  const auto profile = task(1000, 1000, accesses(0, 0), accesses(50, 160));
  const auto times = homogeneous_times(profile, slow_and_fast(), 0.5, 1);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 1000 / 2.5);
  EXPECT_DOUBLE_EQ(times.bandwidth_bound, 0.5);
  EXPECT_DOUBLE_EQ(homogeneous_times(profile, slow_and_fast(), 7, 1).bandwidth_bound, 1);
}

TEST(HomogeneousTimes, AccessesThatQueueInSlowMemoryGainTheQueueToo) {
  // 800 ns a miss where idle memory takes 400: twice the random ratio of 4.
  const auto profile = task(1000, 1000, accesses(0, 0), accesses(50, 800));
  EXPECT_DOUBLE_EQ(homogeneous_times(profile, slow_and_fast(), 0, 1).fast_only.value, 1000 / 8.0);
  // But what kept slow memory busy all the time takes fast memory, of three times the bandwidth, a third.
  EXPECT_DOUBLE_EQ(homogeneous_times(profile, slow_and_fast(), 1, 1).fast_only.value, 1000 / 3.0);
  // Two memories that are alike queue alike.
  EXPECT_DOUBLE_EQ(homogeneous_times(profile, two_alike(), 0, 1).fast_only.value, 1000);
}

TEST(HomogeneousTimes, OfATrainingRegion) {
  // The same numbers as test_t_fast_is_derived_as_the_runtime_does in tests/training/features_test.py.
  const MemoryPair memory{.fast = TierId(0),
                          .slow = TierId(1),
                          .sequential_ratio = 2,
                          .random_ratio = 3,
                          .bandwidth_ratio = 4,
                          .fast_sequential = Nanoseconds(80),
                          .fast_random = Nanoseconds(100),
                          .slow_sequential = Nanoseconds(160),
                          .slow_random = Nanoseconds(300)};
  const auto times = homogeneous_times(task(4e5, 4e5, accesses(0, 0), accesses(1000, 230)), memory, 0.176, 2);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 272358.9001447178);
}

TEST(HomogeneousTimes, WhatWasInFastMemoryWouldQueueInSlowMemoryLikeTheRest) {
  // A tenth of the time waits for fast memory, 200 ns a miss; in slow memory they would take 1600 as the others do.
  const auto times = homogeneous_times(task(1000, 900, accesses(8, 200), accesses(9, 1600)), slow_and_fast(), 0, 1);
  EXPECT_DOUBLE_EQ(times.slow_only.value, 100 + 810 + 90 * 16.0);
  EXPECT_DOUBLE_EQ(times.fast_only.value, 100 + 90 + 810 / 16.0);
}

TEST(HomogeneousTimes, ATaskThatComputesIsNotBoundByBandwidth) {
  const auto times = homogeneous_times(task(1000, 0, accesses(0, 0), accesses(50, 160)), slow_and_fast(), 1, 1);
  EXPECT_EQ(times.bandwidth_bound, 0);
  EXPECT_EQ(times.slow_only, times.fast_only);
}

TEST(HomogeneousTimes, WithoutTheEventAccessesAreTakenAsOneAfterTheOther) {
  // 2 * 160 = 320 ns of waiting.
  const auto few = homogeneous_times(task(1000, -1, accesses(0, 0), accesses(2, 160)), slow_and_fast(), 0, 1);
  EXPECT_DOUBLE_EQ(few.fast_only.value, 680 + 320 / 2.0);
  // 50 * 160 ns do not fit into the task: all of it was waiting.
  const auto many = homogeneous_times(task(1000, -1, accesses(0, 0), accesses(50, 160)), slow_and_fast(), 0, 1);
  EXPECT_DOUBLE_EQ(many.fast_only.value, 500);
}

TEST(HomogeneousTimes, ATaskWithoutAccessesStaysAsItIs) {
  const auto times = homogeneous_times(task(1000, 900, accesses(0, 0), accesses(0, 0)), slow_and_fast(), 1, 1);
  EXPECT_EQ(times.slow_only.value, 1000);
  EXPECT_EQ(times.fast_only.value, 1000);
}

TEST(HomogeneousTimes, EqualMemoriesMakeNoDifference) {
  for (double use : {0.0, 0.3, 1.0}) {
    const auto times = homogeneous_times(task(1000, 900, accesses(5, 80), accesses(5, 100)), two_alike(), use, 1);
    EXPECT_DOUBLE_EQ(times.slow_only.value, 1000);
    EXPECT_DOUBLE_EQ(times.fast_only.value, 1000);
    EXPECT_EQ(times.bandwidth_bound, 0);
  }
}

TEST(HomogeneousTimes, AThirdTierCountsAsSlow) {
  auto profile = task(1000, 1000, accesses(0, 0), accesses(0, 0));
  profile.tiers.push_back(accesses(10, 160));
  EXPECT_DOUBLE_EQ(homogeneous_times(profile, slow_and_fast(), 0, 1).fast_only.value, 500);
}

TEST(HomogeneousTimes, PropertyAlwaysFiniteAndFastIsNeverSlower) {
  AnyNumber any(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto profile = task(any(1e9), any(1e9), accesses(any(1e6), any(500)), accesses(any(1e6), any(500)));
    MemoryPair memory = slow_and_fast();
    memory.sequential_ratio = 1 + any(4);
    memory.random_ratio = 1 + any(4);
    memory.bandwidth_ratio = 1 + any(4);
    memory.slow_random = Nanoseconds(any(500));
    const auto times = homogeneous_times(profile, memory, any(1), any(4));
    ASSERT_TRUE(std::isfinite(times.slow_only.value) && std::isfinite(times.fast_only.value));
    ASSERT_GE(times.fast_only.value, 0);
    ASSERT_GE(times.bandwidth_bound, 0);
    ASSERT_LE(times.bandwidth_bound, 1);
    // The factors above are at least 1, or no positive numbers, which count as 1.
    ASSERT_LE(times.fast_only.value, times.slow_only.value * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace lbhm
