// Does the classifier see in samples what the loops did? The loops here really step, miss and are sampled.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "runtime/patterns/patterns.h"

namespace lbhm {
namespace {

constexpr Bytes line{64};
using Offsets = std::vector<std::uint64_t>;

/// Every access that begins another line than the one before in its stream is a miss; every period-th is sampled.
std::vector<SampledAccess> sampled(const Offsets& misses, std::size_t period, bool write = false) {
  std::vector<SampledAccess> samples;
  for (std::size_t at = period / 2; at < misses.size(); at += period) samples.push_back({misses[at], write});
  return samples;
}

Offsets walk(std::uint64_t first, std::uint64_t bytes, std::uint64_t step) {
  Offsets misses;
  for (std::uint64_t at = first; at < first + bytes; at += std::max(step, line.value)) misses.push_back(at);
  return misses;
}

Offsets shuffled(Offsets misses) {
  std::shuffle(misses.begin(), misses.end(), std::mt19937_64(7));
  return misses;
}

TEST(ClassifySamples, SeesAStream) {
  for (const std::size_t period : {1, 7, 127}) {
    const auto pattern = classify_samples(sampled(walk(0, 8 << 20, 8), period), period, line);
    EXPECT_EQ(pattern.kind, PatternKind::stream) << period;
    EXPECT_GT(pattern.stride, 0);
  }
}

TEST(ClassifySamples, SeesAStreamThatRunsDown) {
  Offsets misses = walk(0, 8 << 20, 8);
  std::reverse(misses.begin(), misses.end());
  const auto pattern = classify_samples(sampled(misses, 127), 127, line);
  EXPECT_EQ(pattern.kind, PatternKind::stream);
  EXPECT_LT(pattern.stride, 0);
}

TEST(ClassifySamples, SeesTheStrideWhereItIsMoreThanALine) {
  for (const std::size_t period : {1, 7, 127}) {
    const auto pattern = classify_samples(sampled(walk(0, 32 << 20, 192), period), period, line);
    EXPECT_EQ(pattern.kind, PatternKind::strided) << period;
    EXPECT_EQ(pattern.stride, 192) << period;
  }
}

TEST(ClassifySamples, FollowsStreamsThatTakeTurns) {
  Offsets turns;
  const Offsets one = walk(0, 4 << 20, 8), two = walk(64 << 20, 4 << 20, 8);
  for (std::size_t at = 0; at < one.size(); ++at) turns.insert(turns.end(), {one[at], two[at]});
  EXPECT_EQ(classify_samples(sampled(turns, 7), 7, line).kind, PatternKind::stream);
}

TEST(ClassifySamples, ForgivesThatLoopsBeginAnew) {
  Offsets misses;
  for (int round = 0; round < 10; ++round) {
    const Offsets one = walk(0, 1 << 20, 8);
    misses.insert(misses.end(), one.begin(), one.end());
  }
  EXPECT_EQ(classify_samples(sampled(misses, 127), 127, line).kind, PatternKind::stream);
}

TEST(ClassifySamples, TellsGatherFromScatter) {
  const Offsets misses = shuffled(walk(0, 8 << 20, 64));
  EXPECT_EQ(classify_samples(sampled(misses, 127), 127, line).kind, PatternKind::gather);
  EXPECT_EQ(classify_samples(sampled(misses, 127, true), 127, line).kind, PatternKind::scatter);
}

TEST(ClassifySamples, OfSkewedIndicesIsRandomToo) {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> skewed(20);
  Offsets misses;
  for (int i = 0; i < 100'000; ++i)
    misses.push_back(static_cast<std::uint64_t>(std::min(skewed(random), 0.999) * (8 << 20)) / 64 * 64);
  EXPECT_EQ(classify_samples(sampled(misses, 127), 127, line).kind, PatternKind::gather);
}

TEST(ClassifySamples, SaysUnknownWhenItCannotKnow) {
  EXPECT_EQ(classify_samples({}, 127, line).kind, PatternKind::unknown);
  EXPECT_EQ(classify_samples(sampled(walk(0, 8 << 20, 8), 8192), 8192, line).kind, PatternKind::unknown)
      << "16 samples";
  const std::vector<SampledAccess> one_place(1000, SampledAccess{4096, false});
  EXPECT_EQ(classify_samples(one_place, 1, line).kind, PatternKind::unknown);
  EXPECT_EQ(classify_samples(one_place, 0, Bytes(0)).kind, PatternKind::unknown) << "no period, no line";
}

}  // namespace
}  // namespace lbhm
