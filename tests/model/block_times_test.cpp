// How often will each basic block run on a new input, and what does that say about the time?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/model.h"

namespace lbhm {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

auto about(double value) { return DoubleNear(value, 0.01 * value); }

/// One task, one object of doubles that is its own, from 8000 to 32000 bytes: 1000 elements become 4000.
struct OneObject {
  std::vector<Bytes> base{Bytes(8000)}, now{Bytes(32000)};
  std::vector<double> tasks{1};
  std::vector<BlockInstance> seen;

  std::vector<double> predict(std::vector<double> blocks, InputScaling scaling = InputScaling::sizes,
                              std::vector<BlockFacts> facts = {}) const {
    return predicted_blocks(blocks, facts, {base, now, {}, tasks, seen}, scaling);
  }
};

TEST(Cosine, OfOneShapeIsOneHoweverMuchLarger) {
  const Bytes base[] = {KiB(1), KiB(2)}, twice[] = {KiB(2), KiB(4)}, other[] = {KiB(2), KiB(1)};
  EXPECT_NEAR(cosine_similarity(base, twice), 1, 1e-12);
  EXPECT_NEAR(cosine_similarity(base, other), 4.0 / 5, 1e-12);
  EXPECT_EQ(cosine_similarity({}, other), 1);
  EXPECT_NEAR(cosine_similarity({base, 1}, other), 2 / std::sqrt(5), 1e-12);
}

TEST(PredictedBlocks, ThePapersRuleScalesInputDependentBlocksByTheCosine) {
  OneObject input;
  input.base = {KiB(1), KiB(2)}, input.now = {KiB(2), KiB(1)}, input.tasks = {1, 1};
  EXPECT_THAT(input.predict({100, 100}, InputScaling::cosine, {{.input_independent = true}, {}}),
              ElementsAre(100, DoubleNear(80, 1e-9)));
}

TEST(PredictedBlocks, ABaseCountNearAPowerOfTheElementsFollowsIt) {
  EXPECT_THAT(OneObject().predict({1000, 998, 250, std::sqrt(1000), std::pow(1000, 1.5), 1e6, 5e5}),
              ElementsAre(about(4000), about(4 * 998), about(1000), about(2 * std::sqrt(1000)),
                          about(8 * std::pow(1000, 1.5)), about(16e6), about(16 * 5e5)));
}

TEST(PredictedBlocks, ASort) {
  const double growth = 4000 * std::log2(4000) / (1000 * std::log2(1000));
  EXPECT_THAT(OneObject().predict({1000 * std::log2(1000)}), ElementsAre(about(growth * 1000 * std::log2(1000))));
}

TEST(PredictedBlocks, AnObjectThatTasksShareIsDividedBetweenThem) {
  OneObject input;
  input.tasks = {4};
  EXPECT_THAT(input.predict({250e3}), ElementsAre(about(16 * 250e3)));
}

TEST(PredictedBlocks, TheLargestObjectDecidesWhateverElseMatches) {
  // A block for each stored element (1700 doubles become 51000), and one whose count happens to be that of the rows
  // (100 integers become 300): it grows as objects do in the mean.
  const std::vector<Bytes> base{Bytes(400), Bytes(13600)}, now{Bytes(1200), Bytes(408000)},
      elements{Bytes(4), Bytes(8)};
  const std::vector<double> tasks{1, 1}, blocks{100, 1700};
  EXPECT_THAT(predicted_blocks(blocks, {}, {base, now, elements, tasks, {}}, InputScaling::sizes),
              ElementsAre(about(100 * std::sqrt(90)), about(51000)));
}

TEST(PredictedBlocks, WhatMatchesNothingGrowsAsTheSizesDo) {
  EXPECT_THAT(OneObject().predict({73}), ElementsAre(about(4 * 73)));
  OneObject other;
  other.tasks = {};  // no object of the task is known
  EXPECT_THAT(other.predict({73}), ElementsAre(73));
}

TEST(PredictedBlocks, InputIndependentBlocksStay) {
  EXPECT_THAT(OneObject().predict({1000}, InputScaling::sizes, {{.input_independent = true}}), ElementsAre(1000));
}

TEST(PredictedBlocks, InstancesSeenOutweighTheGuess) {
  // 1000 executions for 1000 elements look linear, but twice as many elements took 2.83 times as many.
  OneObject input;
  input.seen = {{{Bytes(8000)}, {1000}}, {{Bytes(16000)}, {2828.4}}};
  EXPECT_THAT(input.predict({1000}), ElementsAre(DoubleNear(8000, 0.03 * 8000)));
  // Of one size they teach nothing.
  input.seen = {{{Bytes(8000)}, {1000}}, {{Bytes(8000)}, {1000}}};
  EXPECT_THAT(input.predict({1000}), ElementsAre(about(4000)));
}

TEST(PredictedBlocks, InstancesOfNearlyOneSizeSayLittleOfGrowth) {
  // 3 % more elements took 30 % more executions, an exponent of nine: 1.3 is believed.
  OneObject input;
  input.seen = {{{Bytes(8000)}, {1000}}, {{Bytes(8240)}, {1300}}};
  EXPECT_THAT(input.predict({1000}), ElementsAre(DoubleNear(1140 * std::pow(4 / 1.015, 1.33), 100)));
}

TEST(PredictedBlocks, ALawHoldsUpToFourTimesTheSizesSeen) {
  OneObject input;
  input.seen = {{{Bytes(8000)}, {1000}}, {{Bytes(16000)}, {4000}}};
  input.now = {Bytes(16000 * 4)};
  const double at_four = input.predict({1000}).front();
  EXPECT_NEAR(at_four, 64e3, 0.15 * 64e3);
  input.now = {Bytes(16000 * 400)};
  EXPECT_NEAR(input.predict({1000}).front(), 100 * at_four, at_four);
}

TEST(PredictedBlocks, OfSeenInstancesTheLargestObjectThatChangedDecides) {
  // The third object is larger and always the same; the second one fits the counts and is small.
  OneObject input;
  input.base = {KiB(8), KiB(1), MiB(1)}, input.now = {KiB(16), KiB(2), MiB(1)}, input.tasks = {1, 1, 1};
  input.seen = {{{KiB(8), KiB(1), MiB(1)}, {777}}, {{KiB(32), KiB(2), MiB(1)}, {4 * 777}}};
  EXPECT_THAT(input.predict({777}), ElementsAre(about(2 * 777)));
  input.now = {KiB(16), KiB(8), MiB(1)};
  EXPECT_THAT(input.predict({777}), ElementsAre(about(2 * 777)));
}

TEST(BlockTime, IsTheSumOverBlocks) {
  const BlockFacts facts[] = {{.instructions = 1, .slow = Nanoseconds(10), .fast = Nanoseconds(4)},
                              {.instructions = 1, .slow = Nanoseconds(1), .fast = Nanoseconds(1)}};
  const double blocks[] = {100, 50};
  const auto times = block_time(blocks, facts);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->slow_only.value, 1050);
  EXPECT_DOUBLE_EQ(times->fast_only.value, 450);
}

TEST(BlockTime, BlocksWithoutTimesTakeAsLongAnInstruction) {
  const BlockFacts facts[] = {{.instructions = 3, .slow = Nanoseconds(30), .fast = Nanoseconds(6)},
                              {.instructions = 1}};
  const double blocks[] = {100, 100};
  EXPECT_NEAR(block_time(blocks, facts)->slow_only.value, 4000, 1e-9);
}

TEST(BlockTime, IsUnknownIfMostOfTheWorkIs) {
  const BlockFacts facts[] = {{.instructions = 1, .slow = Nanoseconds(30), .fast = Nanoseconds(6)},
                              {.instructions = 9}};
  const double blocks[] = {100, 100};
  EXPECT_FALSE(block_time(blocks, facts));
  EXPECT_FALSE(block_time(blocks, {}));
  EXPECT_FALSE(block_time({}, facts));
}

/// One lane on an object of 1000 doubles, with two blocks: one an element, one all pairs.
PhaseProfile pairs(std::vector<double> blocks) {
  PhaseProfile profile{.tasks = {{}}, .object_bytes = {Bytes(8000)}, .time = {}};
  profile.tasks[0].pages = {{ObjectSlot(0), PageIndex(0), AccessCount(1)}};
  profile.tasks[0].blocks = std::move(blocks);
  return profile;
}

TEST(BlockTime, OfBlocksThatTakeNoTimeIsKnown) {
  const BlockFacts facts[] = {{.instructions = 1, .slow = Nanoseconds(0), .fast = Nanoseconds(0)},
                              {.instructions = 1, .slow = Nanoseconds(30), .fast = Nanoseconds(6)}};
  const double blocks[] = {100, 10};
  EXPECT_NEAR(block_time(blocks, facts)->slow_only.value, 300, 1e-9);
}

TEST(BlockTime, MeasuredOfflineTakesThePlaceOfWhatIsDerived) {
  const BlockFacts facts[] = {{.instructions = 1, .slow = Nanoseconds(30), .fast = Nanoseconds(6)}};
  const double blocks[] = {10};
  const HomogeneousTimes derived{Nanoseconds(330), Nanoseconds(200), 0.3};
  EXPECT_NEAR(with_block_times(derived, blocks, facts).fast_only.value, 66, 1e-9) << "a fifth of 330";
  EXPECT_NEAR(with_block_times(derived, blocks, facts).slow_only.value, 330, 1e-9) << "what was seen online stays";
  EXPECT_NEAR(with_block_times(derived, blocks, {}).fast_only.value, 200, 1e-9) << "nothing was measured";
}

TEST(InputScales, WeighBlocksWithTheirTimes) {
  const Bytes now[] = {Bytes(16000)};
  BlockKnowledge known;
  known.facts = {{.instructions = 1, .slow = Nanoseconds(1000), .fast = Nanoseconds(1)},
                 {.instructions = 1, .slow = Nanoseconds(1), .fast = Nanoseconds(1)}};
  const auto scales = input_scales(pairs({1000, 1e6}), now, known, InputScaling::sizes);
  ASSERT_EQ(scales.size(), 1);
  // Slow: half of the time doubles, half becomes four times as long. Fast: nearly all is in the pairs.
  EXPECT_NEAR(scales[0].slow, 3, 0.01);
  EXPECT_NEAR(scales[0].fast, 4, 0.01);
}

TEST(InputScales, WithoutTimesTheyWeighThemWithInstructions) {
  const Bytes now[] = {Bytes(16000)};
  BlockKnowledge known;
  known.facts = {{.instructions = 1000}, {.instructions = 1}};
  const auto scales = input_scales(pairs({1000, 1e6}), now, known, InputScaling::sizes);
  EXPECT_NEAR(scales[0].slow, 3, 0.01);
  EXPECT_EQ(scales[0].slow, scales[0].fast);
  EXPECT_NEAR(input_scales(pairs({1000, 1e6}), now, {}, InputScaling::sizes)[0].slow, 4, 0.01);
}

TEST(InputScales, TheCosineSeesNoGrowth) {
  const Bytes now[] = {Bytes(16000)};
  EXPECT_NEAR(input_scales(pairs({1000, 1e6}), now, {}, InputScaling::cosine)[0].slow, 1, 1e-12);
  EXPECT_NEAR(input_scales(pairs({}), now, {}, InputScaling::cosine)[0].slow, 1, 1e-12);
}

TEST(InputScales, WithoutBlocksTheSizesDecide) {
  const Bytes now[] = {Bytes(16000)};
  EXPECT_NEAR(input_scales(pairs({}), now, {}, InputScaling::sizes)[0].fast, 2, 1e-12);
  EXPECT_THAT(input_scales(PhaseProfile{}, now, {}, InputScaling::sizes), IsEmpty());
}

TEST(InputScales, ScaleBothTimes) {
  const auto times = scaled({Nanoseconds(100), Nanoseconds(50), 0.3}, {.slow = 3, .fast = 2});
  EXPECT_EQ(times.slow_only.value, 300);
  EXPECT_EQ(times.fast_only.value, 100);
  EXPECT_EQ(times.bandwidth_bound, 0.3);
}

}  // namespace
}  // namespace lbhm
