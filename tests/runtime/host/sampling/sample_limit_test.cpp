// Does sampling stay within its bound, and does a sample go to the lane that took it?
#include "runtime/host/sampling/perf_sampler.h"

#include <gtest/gtest.h>

#include "runtime/host/sampling/fault_gate.h"
#include "runtime/host/sampling/thread_buffer.h"

namespace lbhm::sampling {
namespace {

TEST(SampleLimit, OnePercentOfAThread) { EXPECT_DOUBLE_EQ(most_per_second(250), 40000); }

TEST(SampleLimit, ThePeriodDoublesUntilTheRateIsWithinTheBound) {
  EXPECT_EQ(next_period(1000, 1000, 900, 1, 1000), 1000U);
  EXPECT_EQ(next_period(1000, 1000, 1100, 1, 1000), 2000U);
  EXPECT_EQ(next_period(1000, 1000, 4100, 0.5, 1000), 16000U);
}

TEST(SampleLimit, ItComesBackButNotBelowWhatWasAsked) {
  EXPECT_EQ(next_period(8000, 1000, 130, 1, 1000), 8000U);  // within a factor of 8: stays
  EXPECT_EQ(next_period(8000, 1000, 0, 1, 1000), 1000U);
  EXPECT_EQ(next_period(8000, 3000, 0, 1, 1000), 4000U);
}

TEST(SampleLimit, OneBurstDoesNotMakeItBlind) { EXPECT_EQ(next_period(10, 10, 1u << 30, 1, 1000), 160U); }

TEST(SampleLimit, NoTimeAndNoBoundChangeNothing) {
  EXPECT_EQ(next_period(1000, 1000, 1 << 20, 0, 1000), 1000U);
  EXPECT_EQ(next_period(1000, 1000, 1 << 20, 1, 0), 1000U);
  EXPECT_LE(next_period(1, 1, ~std::uint64_t{0}, 1, 1e-300), std::uint64_t{1} << 41);  // ends
}

TEST(FaultBudget, OneSecondIsSavedUpAndPagesThatMayFaultAreReserved) {
  FaultBudget budget(1000, 0);
  EXPECT_EQ(budget.grant(0, 0, 0), 1000U);
  EXPECT_EQ(budget.grant(0, 0, 400), 600U);  // armed, not yet faulted
  EXPECT_EQ(budget.grant(0, 400, 0), 600U);  // faulted
  EXPECT_EQ(budget.grant(0, 700, 0), 0U);    // in debt
  EXPECT_EQ(budget.grant(500'000'000, 0, 0), 400U);
  EXPECT_EQ(budget.grant(60'000'000'000, 0, 0), 1000U);
}

TEST(LaneHistory, ASampleBelongsToTheLaneOfItsTime) {
  LaneHistory history;
  EXPECT_EQ(history.at(5), LaneId(0));
  history.note(100, LaneId(3));
  history.note(200, LaneId(1));
  history.note(250, LaneId(1));
  EXPECT_EQ(history.at(99), LaneId(3));
  EXPECT_EQ(history.at(100), LaneId(3));
  EXPECT_EQ(history.at(199), LaneId(3));
  EXPECT_EQ(history.at(200), LaneId(1));
  EXPECT_EQ(history.size(), 2U);
}

TEST(LaneHistory, WhatWasDrainedIsForgottenButNotTheLaneOfNow) {
  LaneHistory history;
  for (std::uint32_t i = 0; i < 100; ++i) history.note(i, LaneId(i % 7));
  history.forget_before(1000);
  EXPECT_EQ(history.size(), 1U);
  EXPECT_EQ(history.at(2000), LaneId(99 % 7));
}

TEST(EventClock, TicksBecomeNanosecondsAsTheKernelSays) {
  const CounterScale scale{.zero = 1000, .multiplier = 1u << 30, .shift = 31};  // half a nanosecond a tick
  EXPECT_EQ(scale.nanoseconds(0), 1000U);
  EXPECT_EQ(scale.nanoseconds(2001), 2000U);
  EXPECT_EQ(scale.nanoseconds(std::uint64_t{1} << 62), 1000 + (std::uint64_t{1} << 61));  // without overflow
}

TEST(EventClock, KernelsThatDoNotTellAreNotAsked) {
  perf_event_mmap_page control{};
  EXPECT_FALSE(counter_scale(control));
  control.cap_user_time_zero = 1;
  control.time_shift = 10;
  control.time_mult = 3;
  ASSERT_TRUE(counter_scale(control));
  EXPECT_EQ(counter_scale(control)->nanoseconds(2048), 6U);
}

}  // namespace
}  // namespace lbhm::sampling
