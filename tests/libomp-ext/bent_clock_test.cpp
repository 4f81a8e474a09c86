// Does the bent clock go forward only, and does it change the ratio of two durations, however long they are?
#include "libomp-ext/virtual/clock/bent_clock.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using lbhm::clock::bent;
using lbhm::clock::second;
using lbhm::clock::Time;

constexpr std::uint64_t variant = 2;

TEST(BentClock, NeverGoesBack) {
  Time last = bent(0, variant);
  EXPECT_EQ(last, 0);
  for (Time step = 1; step < 3 * second; step *= 7) {
    const Time begin = step * 1000;
    last = bent(begin, variant);
    for (Time at = 1; at < 20'000; ++at) {
      const Time now = bent(begin + at * step, variant);
      ASSERT_GE(now, last) << begin + at * step;
      last = now;
    }
  }
}

/// Of 100 pairs of equal durations, as many as a program would print another speed-up for (two digits).
int changed(Time duration) {
  int count = 0;
  for (Time pair = 0; pair < 100; ++pair) {
    const Time begin = pair * 2 * duration + duration / 3;
    const auto first = static_cast<double>(bent(begin + duration, variant) - bent(begin, variant));
    const auto next = static_cast<double>(bent(begin + 2 * duration, variant) - bent(begin + duration, variant));
    if (std::abs(first / next - 1) >= 0.05) ++count;
  }
  return count;
}

TEST(BentClock, VariantZeroRunsEvenly) { EXPECT_EQ(bent(12'345, 0), 12'345); }

/// So a time that is rounded to nothing in one is seen in another one.
TEST(BentClock, WhereOneVariantIsFastAnotherOneIsSlow) {
  int faster = 0;
  for (Time begin = 0; begin < 100 * 7000; begin += 7000)
    faster += bent(begin + 1000, 1) - bent(begin, 1) > 2 * (bent(begin + 1000, 3) - bent(begin, 3)) ? 1 : 0;
  EXPECT_GT(faster, 2);
  EXPECT_LT(faster, 98);
}

TEST(BentClock, DurationsOfAnyLengthHaveAnotherRatio) {
  for (const Time duration : {2'000L, 30'000L, 500'000L, 1'000'000L, 7'000'000L, 100'000'000L, 1'000'000'000L})
    EXPECT_GT(changed(duration), 75) << duration;
}

}  // namespace
