// What sampled counters of pages let expect, and which pages change places for that.
#include "runtime/placement/heat/expected_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm::placement {
namespace {

constexpr Bytes page{4096};
constexpr std::uintptr_t busy = 0x100000, large = 0x8000000;
constexpr TierId fast{0}, slow{1};

/// 400 pages of an object that is used much, 4000 pages of one that is used little; each page of an object alike.
class TwoObjects : public testing::Test {
 protected:
  TwoObjects() {
    const std::vector<PlacedObject> objects{{.address = busy, .bytes = page * 400, .name = {}},
                                            {.address = large, .bytes = page * 4000, .name = {}}};
    counters_.follow(objects, page, 0);
    for (std::uintptr_t i = 0; i < 400; ++i) counters_.appear(address(busy, i));
    for (std::uintptr_t i = 0; i < 4000; ++i) counters_.appear(address(large, i));
    for (int i = 0; i < 400; ++i) counters_.count(address(busy, random_() % 400));
    for (int i = 0; i < 120; ++i) counters_.count(address(large, random_() % 4000));
  }
  static std::uintptr_t address(std::uintptr_t object, std::uintptr_t number) { return object + number * page.value; }
  std::uint64_t counter(std::uintptr_t object, std::uintptr_t number) const {
    const std::uint64_t counter = counters_.objects().find(object)->second.value[number];
    return counter >= PageCounters::fresh ? 0 : counter;
  }

  std::minstd_rand random_{1};
  PageCounters counters_;
};

TEST_F(TwoObjects, APageWithoutASampleIsExpectedToBeUsedAsItsObjectIs) {
  const ExpectedHeat expected(counters_);
  double least = 1e9, most = 0;
  for (std::uintptr_t i = 0; i < 400; ++i) least = std::min(least, expected.of(address(busy, i), counter(busy, i)));
  for (std::uintptr_t i = 0; i < 4000; ++i) most = std::max(most, expected.of(address(large, i), counter(large, i)));
  EXPECT_GT(least, so_much_more * most) << "by samples alone a third of the busy pages are colder";
}

TEST_F(TwoObjects, ChanceMakesNoDifferenceButUseDoes) {
  EXPECT_LT(ExpectedHeat(counters_).of(address(busy, 0), 3 * PageCounters::per_sample), 1.5);
  for (std::uintptr_t i = 0; i < 40; ++i) {
    for (int samples = 0; samples < 20; ++samples) counters_.count(address(busy, i));
  }
  const ExpectedHeat expected(counters_);
  EXPECT_GT(expected.of(address(busy, 0), counter(busy, 0)), 15);
  EXPECT_LT(expected.of(address(busy, 399), counter(busy, 399)), 5);
}

TEST_F(TwoObjects, PagesOfNoObjectAreOneOfTheirOwn) {
  const PageRange stack{0x7000000, page * 100};
  counters_.follow_unmanaged({&stack, 1});
  for (std::uintptr_t i = 0; i < 100; ++i) counters_.appear(address(stack.address, i));
  for (int i = 0; i < 200; ++i) counters_.count(address(stack.address, random_() % 100));
  EXPECT_NEAR(ExpectedHeat(counters_).of(stack.address, 0), 2, 0.5);
}

/// 100 pages of fast memory, 400 of slow one.
class Exchange : public testing::Test {
 protected:
  void put(std::uintptr_t address, std::uint64_t pages, TierId tier) {
    machine_.put(address, pages, tier);
    context_.add(address, pages);
  }
  void sample(std::uintptr_t address) {
    machine_.fake_samples().add({.address = address,
                                 .lane = LaneId(0),
                                 .tier = machine_.tier_of(address),
                                 .latency = Nanoseconds(300),
                                 .time = now_});
  }
  MigrationPlan wake_up() {
    machine_.fake_execution().set_clock(now_ += Nanoseconds(1e9));
    EXPECT_TRUE(daemon_.wake_up(context_));
    return exchange_by_expectation(daemon_.pages(), page, UINT64_MAX, TierBelow(machine_, fast));
  }

  fake::FakeMachine machine_{{100, 400}};
  FakeContext context_{machine_};
  MemtisDaemon daemon_{100};
  Nanoseconds now_;
  std::minstd_rand random_{1};
};

TEST_F(Exchange, PagesThatAreAlikeStayWhereTheyAre) {
  put(busy, 97, fast);
  put(busy + 97 * page.value, 200, slow);
  context_.remove_all();
  context_.add(busy, 297);
  std::size_t moves = 0, of_memtis = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) sample(busy + random_() % 297 * page.value);
    moves += wake_up().moves.size();
    of_memtis += daemon_.exchange(machine_).moves.size();
  }
  EXPECT_EQ(moves, 0u);
  EXPECT_GT(of_memtis, 100u) << "whose pages with a sample come for those without one";
}

TEST_F(Exchange, AnObjectThatIsUsedMoreComesForOneThatIsUsedLess) {
  put(large, 97, fast);
  put(busy, 50, slow);
  MigrationPlan plan;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) sample(busy + random_() % 50 * page.value);
    for (int i = 0; i < 10; ++i) sample(large + random_() % 97 * page.value);
    plan = wake_up();
  }
  Bytes up, down;
  for (const PageMove& move : plan.moves) (move.to == fast ? up : down) += move.bytes;
  EXPECT_EQ(up / page, 50);
  EXPECT_EQ(down / page, 50);
}

TEST_F(Exchange, TheWatermarkIsLeftByThePagesThatAreUsedLeast) {
  put(busy, 50, fast);
  put(large, 50, fast);
  MigrationPlan plan;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 40; ++i) sample(busy + random_() % 50 * page.value);
    plan = wake_up();
  }
  ASSERT_FALSE(plan.moves.empty());
  for (const PageMove& move : plan.moves) EXPECT_TRUE(move.to == slow && move.address >= large);
}

}  // namespace
}  // namespace lbhm::placement
