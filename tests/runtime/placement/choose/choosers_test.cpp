// Do first come, the optimum and Algorithm 1 put units where the paper puts them, within the capacities?
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

constexpr TierId fast{0}, slow{1}, slowest{2};

Unit unit(std::uint64_t pages, double worth, double born = 0, double dies = 100) {
  return {.bytes = Bytes(4096) * pages,
          .worth = {Nanoseconds(worth), Nanoseconds(0)},
          .born = Nanoseconds(born),
          .dies = Nanoseconds(dies)};
}

Problem two_tiers(std::vector<Unit> units, std::uint64_t pages) {
  return {.units = std::move(units), .capacities = {Bytes(4096) * pages, GiB(1)}};
}

double worth_of(const Problem& problem, const Choice& choice) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.units.size(); ++i) sum += problem.units[i].worth[choice.tiers[i].value].value;
  return sum;
}

/// The most that is in a tier at one time.
Bytes peak(const Problem& problem, const Choice& choice, TierId tier) {
  std::map<double, std::int64_t> changes;
  for (std::size_t i = 0; i < problem.units.size(); ++i) {
    if (choice.tiers[i] != tier) continue;
    const auto bytes = static_cast<std::int64_t>((problem.units[i].bytes.value + 4095) / 4096 * 4096);
    changes[problem.units[i].born.value] += bytes;
    changes[problem.units[i].dies.value] -= bytes;
  }
  std::int64_t now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return Bytes(static_cast<std::uint64_t>(most));
}

TEST(FirstComeTest, WhoComesFirstIsServedFirst) {
  const Problem problem = two_tiers({unit(3, 1), unit(2, 100), unit(1, 50)}, 4);
  EXPECT_EQ(first_come(problem).tiers, (std::vector{fast, slow, fast}));
}

TEST(FirstComeTest, TheRoomOfTheDeadIsGivenAgain) {
  const Problem problem = two_tiers({unit(4, 1, 0, 10), unit(4, 1, 5, 20), unit(4, 1, 10, 20)}, 4);
  EXPECT_EQ(first_come(problem).tiers, (std::vector{fast, slow, fast}));
}

TEST(OptimumTest, TheMostValuableSetNotTheMostValuableUnit) {
  const Problem problem = two_tiers({unit(4, 10), unit(2, 6), unit(2, 6)}, 4);
  EXPECT_EQ(optimum(problem).tiers, (std::vector{slow, fast, fast}));
}

TEST(OptimumTest, WhatIsSlowerInFastMemoryStaysOutOfIt) {
  EXPECT_EQ(optimum(two_tiers({unit(1, -5), unit(1, 0)}, 4)).tiers, (std::vector{slow, slow}));
}

TEST(OptimumTest, PartsOfPagesTakeWholePages) {
  Problem problem = two_tiers({unit(1, 5), unit(1, 4)}, 2);
  problem.units[0].bytes = Bytes(4097);
  EXPECT_EQ(optimum(problem).tiers, (std::vector{fast, slow}));
}

TEST(OptimumTest, AMoveMustPayAsEq6Says) {
  // In slow memory, worth 10 in fast memory; the copy takes 11 or 9.
  Problem problem = two_tiers({unit(1, 10)}, 1);
  problem.units[0].tier = slow;
  problem.units[0].move = {Nanoseconds(11), Nanoseconds(0)};
  EXPECT_EQ(optimum(problem).tiers, std::vector{slow});
  problem.units[0].move = {Nanoseconds(9), Nanoseconds(0)};
  EXPECT_EQ(optimum(problem).tiers, std::vector{fast});
}

TEST(OptimumTest, WhoIsInFastMemoryIsWorthTheWayOutOfIt) {
  Problem problem = two_tiers({unit(1, 10), unit(1, 15)}, 1);
  problem.units[0].tier = fast;
  problem.units[0].move = {Nanoseconds(0), Nanoseconds(6)};
  EXPECT_EQ(optimum(problem).tiers, (std::vector{fast, slow}));
  problem.units[0].move[1] = Nanoseconds(4);
  EXPECT_EQ(optimum(problem).tiers, (std::vector{slow, fast}));
}

TEST(OptimumTest, WithThreeTiersWhatIsLeftIsChosenAmongForTheNext) {
  const auto three = [](double first, double second) {
    return Unit{.bytes = Bytes(4096),
                .worth = {Nanoseconds(first), Nanoseconds(second), Nanoseconds(0)},
                .born = {},
                .dies = Nanoseconds(1)};
  };
  const Problem problem{.units = {three(10, 9), three(8, 2), three(3, 3), three(2, 1)},
                        .capacities = {Bytes(4096), Bytes(4096), GiB(1)}};
  // 8 - 2 is the largest difference to the second tier; then 9, 3 and 1 are the worth of that.
  EXPECT_EQ(optimum(problem).tiers, (std::vector{slow, fast, slowest, slowest}));
}

TEST(LifetimesTest, TwoThatNeverMeetShareTheRoom) {
  const Problem problem = two_tiers({unit(4, 10, 0, 10), unit(4, 9, 10, 20)}, 4);
  EXPECT_EQ(by_lifetimes(problem).tiers, (std::vector{fast, fast}));
  EXPECT_EQ(optimum(problem).tiers, (std::vector{fast, slow}));
}

TEST(LifetimesTest, WhoWasLeftOverOnceIsAskedAgain) {
  // The long one's knapsack takes the first short one; the second short one comes later, alone.
  const Problem problem = two_tiers({unit(3, 1, 0, 100), unit(4, 50, 0, 10), unit(4, 40, 90, 100)}, 4);
  EXPECT_EQ(by_lifetimes(problem).tiers, (std::vector{slow, fast, fast}));
}

TEST(LifetimesTest, CapacitiesAreKeptAtEveryTime) {
  std::mt19937_64 random(5);
  double first = 0, initial = 0, lifetimes = 0;
  for (int instance = 0; instance < 100; ++instance) {
    std::vector<Unit> units;
    for (int i = 0; i < 60; ++i) {
      const auto born = static_cast<double>(random() % 100);
      units.push_back(unit(1 + random() % 20, static_cast<double>(random() % 1000), born,
                           born + 1 + static_cast<double>(random() % 100)));
    }
    const Problem problem = two_tiers(std::move(units), 60);
    for (const Choice& choice : {first_come(problem), optimum(problem), by_lifetimes(problem)})
      EXPECT_LE(peak(problem, choice, fast), Bytes(4096 * 60));
    first += worth_of(problem, first_come(problem));
    initial += worth_of(problem, optimum(problem));
    lifetimes += worth_of(problem, by_lifetimes(problem));
  }
  EXPECT_GT(lifetimes, 1.2 * initial);
  EXPECT_GT(lifetimes, 1.2 * first);
}

TEST(ChoosersTest, WithoutRoomEverythingIsSlowAndWithRoomForAllTheValuableIsFast) {
  for (const auto method : {first_come, optimum, by_lifetimes}) {
    EXPECT_EQ(method(two_tiers({unit(1, 1), unit(2, 2)}, 0)).tiers, (std::vector{slow, slow}));
    EXPECT_EQ(method(two_tiers({unit(1, 1), unit(2, 2)}, 1000)).tiers, (std::vector{fast, fast}));
    EXPECT_TRUE(method(two_tiers({}, 1)).tiers.empty());
    EXPECT_EQ(method({.units = {unit(1, 1)}, .capacities = {GiB(1)}}).tiers, std::vector{fast});
  }
}

}  // namespace
}  // namespace lbhm::choose
