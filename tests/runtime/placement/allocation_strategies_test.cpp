// Where do objects begin that the program only describes, by each allocation strategy?
#include <gtest/gtest.h>

#include "runtime/placement/allocation_strategy.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr TierId hbm{0}, dram{1}, slowest{2};
constexpr Bytes page{4096};

/// HBM has the bandwidth, DRAM the shorter latency.
class AllocationStrategies : public testing::Test {
 protected:
  AllocationStrategies() : machine({4, 4, 100}) { machine.set_latency(dram, Nanoseconds(10)); }
  TierId begin(AllocationStrategy& strategy, const Object& object, TierId pages_begin = hbm, Bytes mapped = page) {
    return strategy.begin(object, mapped, pages_begin, machine);
  }
  static std::unique_ptr<AllocationStrategy> make(std::string_view name) { return *make_allocation_strategy(name); }

  fake::FakeMachine machine;
  const Object nothing_said{}, latency{.sensitivity = Sensitivity::latency},
      bandwidth{.sensitivity = Sensitivity::bandwidth}, random{.pattern = PatternKind::gather},
      stream{.pattern = PatternKind::stream};
};

TEST_F(AllocationStrategies, TraitsGoesBySensitivityWhereTheFastestWouldComeFirst) {
  const auto traits = make("traits");
  EXPECT_EQ(begin(*traits, latency), dram);
  EXPECT_EQ(begin(*traits, bandwidth), hbm);
  EXPECT_EQ(begin(*traits, nothing_said), no_tier);
  EXPECT_EQ(begin(*traits, random), no_tier);
  EXPECT_EQ(begin(*traits, latency, slowest), no_tier);
}

TEST_F(AllocationStrategies, AGroupStaysWhereItsFirstObjectBeganOrFits) {
  const auto traits = make("traits");
  const Object first{.sensitivity = Sensitivity::latency, .group = 3}, other{.group = 3}, large{.group = 4};
  EXPECT_EQ(begin(*traits, first), dram);
  EXPECT_EQ(begin(*traits, other), dram);
  EXPECT_EQ(begin(*traits, large, hbm, page * std::uint64_t{50}), slowest);
  const Object hinted{.begins_in = slowest, .group = 5}, follows{.group = 5};
  EXPECT_EQ(begin(*traits, hinted), slowest);
  EXPECT_EQ(begin(*traits, follows), slowest);
}

TEST_F(AllocationStrategies, FirstComeTakesNoNotice) {
  const auto first_come = make("first-come");
  for (const Object& object : {latency, bandwidth, random, Object{.group = 1}})
    EXPECT_EQ(begin(*first_come, object), no_tier);
}

TEST_F(AllocationStrategies, DescribedKeepsFastMemoryForWhatIsDescribed) {
  const auto described = make("described");
  EXPECT_EQ(begin(*described, nothing_said), slowest);
  EXPECT_EQ(begin(*described, latency), dram);
  EXPECT_EQ(begin(*described, stream), no_tier) << "as pages: the fastest that has room";
}

TEST_F(AllocationStrategies, PatternsStandForASensitivityThatIsNotSaid) {
  const auto patterns = make("patterns");
  EXPECT_EQ(begin(*patterns, random), dram);
  EXPECT_EQ(begin(*patterns, stream), hbm);
  EXPECT_EQ(begin(*patterns, {.pattern = PatternKind::gather, .sensitivity = Sensitivity::bandwidth}), hbm);
  EXPECT_EQ(begin(*patterns, latency), dram);
  EXPECT_EQ(begin(*patterns, nothing_said), no_tier);
}

TEST_F(AllocationStrategies, TheTableHasTheDefaultFirstAndNamesWhatThereIs) {
  EXPECT_EQ(allocation_strategies().front().name, "traits");
  for (const AllocationStrategyEntry& entry : allocation_strategies())
    EXPECT_TRUE(make_allocation_strategy(entry.name));
  const auto unknown = make_allocation_strategy("best");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(),
            "allocation strategy 'best' does not exist; choose one of traits, first-come, described, patterns.");
}

}  // namespace
}  // namespace lbhm
