// Does alpha get better with each instance? Instances whose answer is known, with and without noise.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "model/model.h"
#include "tests/model/any_number.h"

namespace lbhm {
namespace {

/// 1e6 accesses at 1 MiB, growing with the p-th power of the size.
double power(Bytes size, double p) { return 1e6 * std::pow(size / MiB(1), p); }

/// Random reads, one an element, of an object of which a cache of 256 KiB holds a part.
double missed(Bytes size) { return static_cast<double>(size.value) / 8 * (1 - KiB(256) / size); }

/// What Eq. 1 predicts for `now`, relative to `truth`.
double relative(const AlphaRefinement& refinement, double profiled, Bytes base, Bytes now, double truth) {
  return estimated_accesses(AccessCount(profiled), base, now, refinement.alpha(base, now)).value / truth;
}

TEST(AlphaRefinement, BeforeAnythingIsSeenAlphaIsOne) {
  EXPECT_EQ(AlphaRefinement().alpha(MiB(1), MiB(2)), 1);
  EXPECT_EQ(AlphaRefinement().expected(MiB(2)).value, 0);
}

TEST(AlphaRefinement, AfterTheBaseInstanceAlphaIsOne) {
  AlphaRefinement refinement;
  refinement.observe(MiB(1), AccessCount(500));
  EXPECT_NEAR(refinement.alpha(MiB(1), MiB(8)), 1, 1e-12);
  EXPECT_NEAR(refinement.expected(MiB(8)).value, 4000, 1e-9);
}

TEST(AlphaRefinement, OnOneSizeItFollowsTheCounts) {
  // The base instance was unlike all that follow: Eq. 1 with alpha = 1 would be wrong by a factor of three for ever.
  AlphaRefinement refinement;
  refinement.observe(MiB(1), AccessCount(3000));
  for (int i = 0; i < 5; ++i) refinement.observe(MiB(1), AccessCount(1000));
  EXPECT_NEAR(relative(refinement, 3000, MiB(1), MiB(1), 1000), 1, 0.05);
}

TEST(AlphaRefinement, APowerLawIsKnownAfterThreeInstances) {
  for (const double p : {0.0, 0.5, 1.0, 1.3, 2.0}) {
    AlphaRefinement refinement;
    for (const Bytes size : {MiB(1), MiB(4), MiB(2)}) refinement.observe(size, AccessCount(power(size, p)));
    for (const Bytes now : {KiB(256), MiB(1), MiB(3), MiB(16)}) {
      EXPECT_NEAR(relative(refinement, power(MiB(1), p), MiB(1), now, power(now, p)), 1, 0.02) << "p = " << p;
    }
  }
}

TEST(AlphaRefinement, ACacheThatHoldsLessAndLess) {
  AlphaRefinement refinement;
  for (const Bytes size : {KiB(512), MiB(1), MiB(2)}) refinement.observe(size, AccessCount(missed(size)));
  // Not a power law: Eq. 1 alone is 47 % low here.
  EXPECT_NEAR(estimated_accesses(AccessCount(missed(KiB(512))), KiB(512), MiB(4), 1).value / missed(MiB(4)), 0.53,
              0.01);
  EXPECT_NEAR(relative(refinement, missed(KiB(512)), KiB(512), MiB(4), missed(MiB(4))), 1, 0.15);
}

TEST(AlphaRefinement, ErrorsShrinkUnderNoise) {
  // 200 tasks whose counts repeat to 5 %, p = 1.5: mean error of the prediction for four times the base size.
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.05);
  double before = 0, after = 0;
  for (int task = 0; task < 200; ++task) {
    AlphaRefinement refinement;
    const double profiled = power(MiB(1), 1.5);
    refinement.observe(MiB(1), AccessCount(profiled));
    before += std::abs(relative(refinement, profiled, MiB(1), MiB(4), power(MiB(4), 1.5)) - 1);
    for (const Bytes size : {MiB(2), MiB(8)}) {
      refinement.observe(size, AccessCount(power(size, 1.5) * std::exp(noise(random))));
    }
    after += std::abs(relative(refinement, profiled, MiB(1), MiB(4), power(MiB(4), 1.5)) - 1);
  }
  EXPECT_NEAR(before / 200, 0.5, 0.01);
  EXPECT_LT(after / 200, 0.05);
}

TEST(AlphaRefinement, FewSamplesOfAlmostEqualSizesAreNotBelieved) {
  // 1 % larger and, by chance of 50 samples, 15 % more accesses: an exponent of 14, if taken at its word.
  AlphaRefinement sampled;
  sampled.observe(Bytes(1000000), AccessCount(5000), AccessCount(100));
  sampled.observe(Bytes(1010000), AccessCount(5750), AccessCount(100));
  EXPECT_NEAR(sampled.expected(Bytes(4000000)).value / 5500 / 4, 1, 0.1);
}

TEST(AlphaRefinement, ManySamplesOutweighFew) {
  AlphaRefinement refinement;
  refinement.observe(MiB(1), AccessCount(1000), AccessCount(0.01));
  refinement.observe(MiB(1), AccessCount(2000), AccessCount(700));
  EXPECT_LT(refinement.expected(MiB(1)).value, 1100);
}

TEST(AlphaRefinement, ZeroCountsAndNoNumbersDoNoHarm) {
  AlphaRefinement refinement;
  refinement.observe(MiB(1), AccessCount(std::numeric_limits<double>::quiet_NaN()));
  refinement.observe(MiB(1), AccessCount(-3));
  refinement.observe(Bytes(0), AccessCount(10));
  EXPECT_EQ(refinement.instances(), 0);
  refinement.observe(MiB(1), AccessCount(0), AccessCount(100));
  EXPECT_EQ(refinement.instances(), 1);
  refinement.observe(MiB(2), AccessCount(1000), AccessCount(1));
  refinement.observe(MiB(4), AccessCount(2000), AccessCount(1));
  EXPECT_NEAR(refinement.expected(MiB(8)).value, 4000, 400);
}

TEST(AlphaRefinement, OfAnObjectThatTheBaseInstanceMissedTheFirstCountIsTheBase) {
  // No sample at first, then one: one more is expected, not the hundreds that half an access would have grown to.
  AlphaRefinement refinement;
  refinement.observe(MiB(1), AccessCount(0), AccessCount(127));
  EXPECT_EQ(refinement.alpha(MiB(1), MiB(1)), 1);
  refinement.observe(MiB(1), AccessCount(127), AccessCount(127));
  EXPECT_LT(relative(refinement, 127, MiB(1), MiB(1), 127), 1);
  EXPECT_GT(relative(refinement, 127, MiB(1), MiB(1), 127), 0.5);
}

TEST(AlphaRefinement, AlwaysAPositiveNumber) {
  AnyNumber any(11);
  const auto size = [&] { return Bytes(static_cast<std::uint64_t>(std::max(0.0, std::min(any(1e9), 1e18)))); };
  for (int task = 0; task < 100; ++task) {
    AlphaRefinement refinement;
    for (int i = 0; i < 30; ++i) {
      refinement.observe(size(), AccessCount(any(1e6)), AccessCount(any(100)));
      const double alpha = refinement.alpha(size(), size());
      ASSERT_TRUE(std::isfinite(alpha) && alpha > 0) << alpha;
      ASSERT_TRUE(std::isfinite(refinement.expected(size()).value));
    }
  }
}

}  // namespace
}  // namespace lbhm
