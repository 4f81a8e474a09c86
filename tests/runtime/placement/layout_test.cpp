// Which pages move, given where they are: as few as possible, in an order that works.
#include "runtime/placement/layouts/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uintptr_t object = 1ULL << 40;
constexpr std::uintptr_t other = 2ULL << 40;

class LayoutTest : public ::testing::Test {
 protected:
  /// One task; object 0 has 10 cold and 10 hot pages.
  void prepare(std::uint64_t capacity) {
    phase.tasks = {forecast(straight(0, 200, 100), {extent(0, 0, 10, 10), extent(0, 10, 10, 100)})};
    phase.objects = {object};
    phase.page = test_page;
    phase.room = test_pages(capacity);
    map = merge_extents(phase.tasks);
  }
  static PageRange range(std::uint64_t first, std::uint64_t pages, std::uintptr_t of = object) {
    return {of + first * test_page.value, test_pages(pages)};
  }
  /// Carries a plan out on paper: the pages in fast memory; fails the test if they are ever too many.
  std::set<std::uintptr_t> after(const MigrationPlan& plan) const {
    std::set<std::uintptr_t> fast;
    for (const PageRange& r : phase.placement.in(TierId(0))) {
      for (Bytes at; at < r.bytes; at += test_page) fast.insert(r.address + at.value);
    }
    for (const PageMove& move : plan.moves) {
      for (Bytes at; at < move.bytes; at += test_page) {
        if (move.to == TierId(0))
          EXPECT_TRUE(fast.insert(move.address + at.value).second);
        else
          EXPECT_EQ(fast.erase(move.address + at.value), 1u);
      }
      EXPECT_LE(fast.size(), phase.room / phase.page);
    }
    return fast;
  }

  PhaseForecast phase;
  HeatMap map;
};

TEST_F(LayoutTest, NothingMovesWhenEverythingIsThere) {
  prepare(10);
  phase.placement.tiers = {{range(10, 10)}};
  const Layout layout(phase, map);
  const std::vector<std::uint64_t> wanted{0, 10};
  EXPECT_EQ(layout.copies(wanted), 0u);
  Decision decision;
  layout.write(wanted, decision);
  EXPECT_THAT(decision.background.moves, IsEmpty());
  EXPECT_THAT(decision.appear.moves, IsEmpty());
}

TEST_F(LayoutTest, TheColdLeaveJustBeforeTheHotCome) {
  prepare(10);
  phase.placement.tiers = {{range(0, 10)}};
  const Layout layout(phase, map);
  const std::vector<std::uint64_t> wanted{0, 10};
  EXPECT_EQ(layout.copies(wanted), 20u);
  Decision decision;
  layout.write(wanted, decision);
  const auto fast = after(decision.background);
  EXPECT_EQ(fast.size(), 10u);
  EXPECT_EQ(*fast.begin(), object + 10 * test_page.value);
}

TEST_F(LayoutTest, FreeRoomIsUsedBeforeAnythingLeaves) {
  prepare(12);
  phase.placement.tiers = {{range(0, 6)}};
  const Layout layout(phase, map);
  const std::vector<std::uint64_t> wanted{0, 10};
  EXPECT_EQ(layout.copies(wanted), 14u);  // 10 come, 4 leave
  Decision decision;
  layout.write(wanted, decision);
  EXPECT_EQ(decision.background.moves.front().to, TierId(0));
  EXPECT_EQ(after(decision.background).size(), 12u);
}

TEST_F(LayoutTest, PagesOfNobodyLeaveFirst) {
  prepare(10);
  phase.placement.tiers = {{range(0, 5), range(0, 5, other)}};
  const Layout layout(phase, map);
  EXPECT_EQ(layout.unused(), 5u);
  Decision decision;
  layout.write(std::vector<std::uint64_t>{0, 5}, decision);
  const auto fast = after(decision.background);
  EXPECT_TRUE(fast.contains(object));
  EXPECT_FALSE(fast.contains(other));
}

TEST_F(LayoutTest, UntouchedPagesAppearWhereTheyShouldWithoutACopy) {
  prepare(10);
  phase.placement.untouched = {range(5, 10)};
  const Layout layout(phase, map);
  const std::vector<std::uint64_t> wanted{0, 8};
  EXPECT_EQ(layout.copies(wanted), 3u);
  Decision decision;
  layout.write(wanted, decision);
  EXPECT_EQ(after(decision.background).size(), 3u);
  std::uint64_t fast = 0, slow = 0;
  for (const PageMove& move : decision.appear.moves) (move.to == TierId(0) ? fast : slow) += move.bytes / test_page;
  EXPECT_EQ(fast, 5u);
  EXPECT_EQ(slow, 5u);
}

}  // namespace
}  // namespace lbhm::placement
