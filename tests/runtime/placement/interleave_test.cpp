// Policy interleave: which share of an object appears in each memory, and what happens where one is full.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr std::uintptr_t base = 0x10000000;
constexpr std::uintptr_t page = 4096;

/// On memories of so many pages, each with half of the bandwidth of the one before.
class InterleaveTest : public testing::Test {
 protected:
  /// As the engine does: needs, an object, its first touches.
  void allocate_and_touch(std::uint64_t pages, std::uintptr_t address = base) {
    if (!policy_) {
      policy_ = std::move(*make_policy("interleave"));
      static_cast<void>(policy_->needs({}));
      static_cast<void>(policy_->needs(machine_.topology()));
    }
    machine_.map(address, pages);
    for (const PageMove& move :
         policy_->on_object({.object = {.address = address, .bytes = Bytes(pages * page), .name = {}}}).moves) {
      std::vector<TierId> order{move.to};
      for (const TierId tier : policy_->needs(machine_.topology()).first_touch)
        if (tier != move.to) order.push_back(tier);
      ASSERT_TRUE(machine_.prefer(move.address, move.bytes, order).ok());
      ++runs_;
    }
    machine_.touch(address, pages);
  }
  std::vector<std::uint64_t> counts(std::uint64_t pages, std::uint64_t first = 0) {
    std::vector<std::uint64_t> counts(machine_.topology().tiers.size());
    for (std::uint64_t n = first; n < first + pages; ++n) ++counts[machine_.tier_of(base + n * page).value];
    return counts;
  }

  fake::FakeMachine machine_{{10'000, 10'000}};
  std::unique_ptr<Policy> policy_;
  std::size_t runs_ = 0;
};

TEST_F(InterleaveTest, PagesGoToTheMemoriesByTheirBandwidths) {
  allocate_and_touch(3100);
  EXPECT_EQ(counts(3100), (std::vector<std::uint64_t>{2100, 1000})) << "21 to 10 is 2 to 1 in whole parts of 32";
}

TEST_F(InterleaveTest, EachPartOfAnObjectIsSpreadLikeTheWhole) {
  allocate_and_touch(3100);
  for (std::uint64_t first = 0; first + 310 <= 3100; first += 155)
    EXPECT_EQ(counts(310, first), (std::vector<std::uint64_t>{210, 100})) << first;
}

TEST_F(InterleaveTest, SmallObjectsAreSpreadLikeALargeOne) {
  for (std::uint64_t n = 0; n < 62; ++n) allocate_and_touch(5, base + (n + 31) % 62 * 5 * page);
  EXPECT_EQ(counts(310), (std::vector<std::uint64_t>{210, 100}));
}

TEST_F(InterleaveTest, HugeObjectsAreNotCutIntoEndlessRuns) {
  allocate_and_touch(9000);
  EXPECT_LE(runs_, 2u * 9000 / 31 + 2);
  const MigrationPlan plan = policy_->on_object({.object = {.address = base, .bytes = GiB(1024), .name = {}}});
  EXPECT_LE(plan.moves.size(), 2u * 4096 + 2);
  Bytes fast, all;
  for (const PageMove& move : plan.moves) {
    EXPECT_EQ(move.address, base + all.value) << "one behind the other";
    EXPECT_EQ(move.bytes.value % page, 0u);
    all += move.bytes;
    if (move.to == TierId(0)) fast += move.bytes;
  }
  EXPECT_EQ(all, GiB(1024));
  EXPECT_NEAR(fast / all, 21.0 / 31, 0.01);
}

TEST(Interleave, AFullMemoryOverflowsToTheNextAndNothingMoves) {
  fake::FakeMachine machine({50, 1000});
  const auto policy = std::move(*make_policy("interleave"));
  const Needs needs = policy->needs(machine.topology());
  EXPECT_FALSE(needs.interval.has_value());
  EXPECT_FALSE(needs.unlimited);
  machine.map(base, 310);
  for (const PageMove& move :
       policy->on_object({.object = {.address = base, .bytes = Bytes(310 * page), .name = {}}}).moves)
    ASSERT_TRUE(machine.prefer(move.address, move.bytes, std::vector{move.to}).ok());
  machine.touch(base, 310);
  EXPECT_EQ(machine.room(TierId(0)), Bytes(0)) << "210 pages were for it, it has 50";
  EXPECT_EQ(machine.tier_of(base + 309 * page), TierId(1));
  EXPECT_TRUE(machine.moves().empty());
}

TEST(Interleave, ThreeMemoriesHaveThreeParts) {
  fake::FakeMachine machine({1000, 1000, 1000});
  const auto policy = std::move(*make_policy("interleave"));
  static_cast<void>(policy->needs(machine.topology()));
  std::vector<std::uint64_t> pages(3);
  for (const PageMove& move :
       policy->on_object({.object = {.address = base, .bytes = Bytes(310 * page), .name = {}}}).moves)
    pages[move.to.value] += move.bytes.value / page;
  EXPECT_EQ(pages, (std::vector<std::uint64_t>{180, 90, 40})) << "18 : 9 : 4";
}

TEST(Interleave, AMachineWithoutFiguresOrWithOneMemory) {
  fake::FakeMachine unknown({100, 100});
  unknown.forget_figures();
  const auto policy = std::move(*make_policy("interleave"));
  static_cast<void>(policy->needs(unknown.topology()));
  const NewObject object{.object = {.address = base, .bytes = Bytes(4 * page), .name = {}}};
  EXPECT_EQ(policy->on_object(object).moves.size(), 4u) << "page by page, as without weights";
  static_cast<void>(policy->needs(fake::FakeMachine({100}).topology()));
  EXPECT_TRUE(policy->on_object(object).moves.empty());
}

}  // namespace
}  // namespace lbhm
