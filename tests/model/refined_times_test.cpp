// What do later instances of a task teach about its times with everything in one memory?
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "model/model.h"
#include "tests/model/memory_pairs.h"

namespace lbhm {
namespace {

HomogeneousTimes slow_fast(double slow, double fast) { return {Nanoseconds(slow), Nanoseconds(fast), 0.3}; }

/// Ran in slow memory for 1000 ns; 500 ns in fast memory is derived from that.
SeenTimes base() { return seen_times(Nanoseconds(1000), slow_fast(1000, 500), {1, 1}); }

TEST(RefinedTimes, WithoutLaterInstancesTheBaseIsScaled) {
  const auto times = refined(base(), {}, {2, 3});
  EXPECT_EQ(times.slow_only, Nanoseconds(2000));
  EXPECT_EQ(times.fast_only, Nanoseconds(1500));
  EXPECT_EQ(times.bandwidth_bound, 0.3);
}

TEST(RefinedTimes, WhatRanInFastMemoryOverrulesWhatWasDerivedFromSlowMemory) {
  // What the base cannot see, say that slow memory moves blocks of which a part is used, makes fast memory five times
  // as fast. Derived slow-only times are as wrong the other way: the base measured that one.
  const std::vector later{seen_times(Nanoseconds(200), slow_fast(400, 200), {1, 1})};
  const auto times = refined(base(), later, {1, 1});
  EXPECT_NEAR(times.fast_only.value, 200, 1);
  EXPECT_NEAR(times.slow_only.value, 1000, 5);
  const auto larger = refined(base(), later, {1.1, 1.1});
  EXPECT_NEAR(larger.fast_only.value, 220, 10);
  EXPECT_NEAR(larger.slow_only.value, 1100, 60);
}

TEST(RefinedTimes, TheMeanIsWeightedByWhatWasDerivedAndScaled) {
  // By hand: the base's change is ln 2, the instance's is ln 1.5 and it is scaled by a factor of two.
  const std::vector later{seen_times(Nanoseconds(1200), slow_fast(2000, 800), {2, 2})};
  const double repeats = 0.02 * 0.02, two = std::log(2.0), change = std::log(1.5);
  const double of_base = 1 / (two * two + repeats), of_later = 1 / (change * change + two * two + repeats);
  const double mean = (of_base * std::log(500) + of_later * std::log(400)) / (of_base + of_later);
  EXPECT_NEAR(refined(base(), later, {1, 1}).fast_only.value, std::exp(mean), 1e-9);
}

TEST(RefinedTimes, InstancesOfTheSizeAtHandCountMost) {
  // Four times the work takes eight times as long, because it leaves a cache.
  const std::vector later{seen_times(Nanoseconds(8000), slow_fast(8000, 4000), {4, 4})};
  EXPECT_NEAR(refined(base(), later, {4, 4}).slow_only.value, 8000, 10);
  EXPECT_NEAR(refined(base(), later, {1, 1}).slow_only.value, 1000, 2);
}

TEST(RefinedTimes, AnInstanceThatMeasuredNothingTeachesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector later{SeenTimes{}, seen_times(Nanoseconds(0), slow_fast(0, 0), {1, 1}),
                          seen_times(Nanoseconds(0), slow_fast(10, 10), {1, 1}),
                          seen_times(Nanoseconds(nan), slow_fast(10, nan), {nan, 0})};
  EXPECT_EQ(refined(base(), later, {2, 2}).slow_only, Nanoseconds(2000));
  EXPECT_EQ(refined(base(), later, {2, 2}).fast_only, Nanoseconds(1000));
}

TEST(RefinedTimes, NoiseDoesNotTurnTheMemoriesRound) {
  // It computes: both times are what was measured, and the later instance was disturbed.
  const SeenTimes computing = seen_times(Nanoseconds(1000), slow_fast(1000, 999), {1, 1});
  const std::vector later{seen_times(Nanoseconds(1100), slow_fast(1200, 1100), {1, 1})};
  const auto times = refined(computing, later, {1, 1});
  EXPECT_LE(times.fast_only, times.slow_only);
}

TEST(RefinedTimes, ADerivationThatIsWrongByAFactorIsCorrectedByMixedInstances) {
  // Truth: 1000 and 250 ns, waiting alone, without bandwidth limits; the memories' ratio of random latencies is 4, but
  // the samples of the base look sequential (ratio 2), so that 500 ns are derived. Instances on mixes of 60 to 90 %.
  const auto memory = slow_and_fast();
  const auto derive = [&](double time, double fast, double slow) {
    const auto profile = task(time, time, accesses(fast, 90), accesses(slow, 160));
    return seen_times(Nanoseconds(time), homogeneous_times(profile, memory, 0, 1), {1, 1});
  };
  const SeenTimes first = derive(1000, 0, 100);
  EXPECT_DOUBLE_EQ(first.times.fast_only.value, 500);
  std::vector<SeenTimes> later;
  double error = 1;
  for (const double r : {0.6, 0.8, 0.9}) {
    later.push_back(derive(1000 * (1 - r) + 250 * r, 100 * r, 100 * (1 - r)));
    const double now = std::abs(refined(first, later, {1, 1}).fast_only.value / 250 - 1);
    EXPECT_LT(now, error);
    error = now;
  }
  EXPECT_LT(error, 0.3);  // of 1 before; the instance with 90 % alone derives 298 ns
}

/// Half of its accesses in fast memory, T = T_slow / 2 * f + T_fast / 2 of the base.
SeenTimes half_fast(double f) {
  const Nanoseconds measured(500 * f + 250);
  SeenTimes seen = seen_times(measured, slow_fast(1000, 500), {1, 1});
  seen.share = 0.5;
  return seen;
}

/// All of its accesses in fast memory: T_fast is certain then.
SeenTimes all_fast() {
  SeenTimes seen = seen_times(Nanoseconds(500), slow_fast(1000, 500), {1, 1});
  seen.share = 1;
  return seen;
}

const Correlation& one() { return analytic_correlation(); }  // f is 1 - 0.3 * 0.5 at a half: see slow_fast

TEST(ShownShift, BeforeAnInstanceRanOnBothMemoriesTheModelIsAlone) {
  EXPECT_EQ(shown_shift(base(), {}, {}, one()).seen, 0);
  const std::vector later{all_fast()};
  EXPECT_EQ(shown_shift(base(), later, {}, one()).seen, 0) << "f plays no part at the ends";
  EXPECT_EQ(shown_shift(base(), later, {}, one()).slope, 0);
}

TEST(ShownShift, WhatAnInstanceShowedIsBlendedWithTheModel) {
  const std::vector later{all_fast(), half_fast(1.4)};
  const Shift shift = shown_shift(base(), later, {}, one());
  EXPECT_GT(shift.seen, 0.8) << "both homogeneous times are known";
  EXPECT_NEAR(shift.slope, (1.4 - 0.85) / 0.5 * shift.seen, 0.02);
  const std::vector as_expected{all_fast(), half_fast(0.85)};
  EXPECT_NEAR(shown_shift(base(), as_expected, {}, one()).slope, 0, 0.02);
}

TEST(ShownShift, AnInstanceSaysLessAsLongAsTheFastOnlyTimeIsGuessed) {
  const std::vector guessed{half_fast(1.4)}, known{all_fast(), half_fast(1.4)};
  EXPECT_LT(shown_shift(base(), guessed, {}, one()).seen, shown_shift(base(), known, {}, one()).seen);
}

TEST(ShownShift, WhatIsNoTimeSaysNothing) {
  SeenTimes broken = half_fast(1.4);
  broken.times.slow_only = Nanoseconds(0);
  SeenTimes unknown = half_fast(1.4);
  unknown.share = std::numeric_limits<double>::quiet_NaN();
  const std::vector later{broken, unknown};
  EXPECT_EQ(shown_shift(base(), later, {}, one()).seen, 0);
}

}  // namespace
}  // namespace lbhm
