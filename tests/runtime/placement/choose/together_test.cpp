// Are units that belong together one to the choosers, and do those that somebody has placed keep their room?
#include "runtime/placement/choose/together.h"

#include <gtest/gtest.h>

namespace lbhm::choose {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr Bytes page{4096};

/// Born in `first`, there until the end of `last`; worth so much in each of these phases.
PhasedUnit unit(std::uint64_t pages, std::uint32_t first, std::uint32_t last, double worth) {
  PhasedUnit made{.bytes = page * pages, .first = first, .last = last};
  for (std::uint32_t phase = first; phase <= last; ++phase) made.worth[phase] = {Nanoseconds(worth), Nanoseconds(0)};
  return made;
}

Lives lives_of(std::vector<PhasedUnit> units) {
  Lives lives{.units = std::move(units), .born = {}, .dies = {}};
  for (const PhasedUnit& each : lives.units) {
    lives.born.emplace_back(each.first);
    lives.dies.emplace_back(each.last + 1);
  }
  return lives;
}

TEST(TogetherTest, BlocksThatFollowEachOtherTakeTheRoomOfOne) {
  const Lives parts = lives_of({unit(3, 0, 0, 5), unit(4, 1, 1, 5), unit(2, 2, 2, 5), unit(1, 0, 2, 1)});
  const Together together(parts, {7, 7, 7, 0});
  ASSERT_EQ(together.joined().units.size(), 2u);
  EXPECT_EQ(together.joined().units[0].bytes, page * 4);
  EXPECT_EQ(together.joined().units[0].last, 2u);
  EXPECT_EQ(together.joined().units[0].worth.at(1)[0], Nanoseconds(5));
  const PhasedChoice all = together.of_parts({.births = {fast, slow}, .moves = {}});
  EXPECT_EQ(all.births, (std::vector{fast, fast, fast, slow}));
}

TEST(TogetherTest, BlocksOfOneTimeAddUp) {
  const Together together(lives_of({unit(3, 0, 2, 5), unit(4, 1, 1, 5)}), {7, 7});
  EXPECT_EQ(together.joined().units[0].bytes, page * 7);
}

TEST(TogetherTest, MovesAreOfThoseThatAreThere) {
  const Lives parts = lives_of({unit(1, 0, 1, 5), unit(1, 0, 3, 5), unit(1, 2, 3, 5)});
  const Together together(parts, {7, 7, 7});
  const PhasedChoice all = together.of_parts({.births = {slow}, .moves = {{2, 0, slow, fast}}});
  EXPECT_EQ(all.births, (std::vector{slow, slow, fast}));
  ASSERT_EQ(all.moves.size(), 1u);  // the first is gone, the last is born there
  EXPECT_EQ(all.moves[0].unit, 1u);
}

TEST(FixedTest, WhatIsPlacedAlreadyHasItsRoomBeforeAllOthers) {
  const auto one = [](std::uint64_t pages, double worth, TierId fixed) {
    return Unit{.bytes = page * pages,
                .worth = {Nanoseconds(worth), Nanoseconds(0)},
                .born = {},
                .dies = Nanoseconds(1),
                .fixed = fixed};
  };
  const Problem problem{.units = {one(2, 100, slow), one(3, 1, fast), one(2, 9, no_tier), one(1, 5, no_tier)},
                        .capacities = {page * 4, GiB(1)}};
  const std::vector expected{slow, fast, slow, fast};
  for (const auto method : {optimum, by_lifetimes}) EXPECT_EQ(method(problem).tiers, expected);
}

TEST(FixedTest, FirstComeTakesThemInTheirTurn) {
  const auto one = [](std::uint64_t pages, double born, double dies, TierId fixed) {
    return Unit{
        .bytes = page * pages, .worth = {}, .born = Nanoseconds(born), .dies = Nanoseconds(dies), .fixed = fixed};
  };
  const Problem problem{
      .units = {one(2, 0, 9, no_tier), one(4, 1, 2, fast), one(2, 3, 9, no_tier), one(1, 4, 9, no_tier)},
      .capacities = {page * 4, GiB(1)}};
  EXPECT_EQ(first_come(problem).tiers, (std::vector{fast, fast, fast, slow}));
}

TEST(FixedTest, WhatStaysIsNeverMoved) {
  PhasedProblem problem{.units = {unit(1, 0, 2, 0), unit(1, 0, 2, 0)}, .capacities = {page, GiB(1)}, .page_move = {}};
  problem.phases = 3;
  problem.units[0].worth[0] = {Nanoseconds(10), Nanoseconds(0)};
  problem.units[1].worth[1] = {Nanoseconds(20), Nanoseconds(0)};
  EXPECT_EQ(next_phases(problem).moves.size(), 3u);
  problem.units[0].stays = true;
  EXPECT_TRUE(next_phases(problem).moves.empty());
  problem.units[0].begins_in = slow;
  EXPECT_EQ(next_phases(problem).births[0], slow);
}

}  // namespace
}  // namespace lbhm::choose
