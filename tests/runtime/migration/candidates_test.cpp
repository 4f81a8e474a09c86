// Is every managed page a candidate exactly once, with the accesses that all tasks together expect?
#include "runtime/migration/candidates.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr std::uint64_t page = 4096;

/// A forecast for a machine of three tiers with these pages in its upper ones.
PhaseForecast forecast_with(std::vector<PageRange> first, std::vector<PageRange> second = {},
                            std::vector<PageRange> untouched = {}) {
  PhaseForecast forecast;
  forecast.slowest = TierId(2);
  forecast.placement.tiers = {std::move(first), std::move(second), {{0x900000, Bytes(page)}}};
  forecast.placement.untouched = std::move(untouched);
  return forecast;
}

TaskForecast task_on(std::uint64_t first, std::uint64_t pages, double count) {
  TaskForecast task;
  task.accesses.extents = {
      {.slot = ObjectSlot(0), .first = PageIndex(first), .pages = pages, .count = AccessCount(count)}};
  return task;
}

TEST(Candidates, PagesAboveTheSlowestTierAreUnusedIfNobodyExpectsAccesses) {
  const auto out = eviction_candidates(
      forecast_with({{0x100000, Bytes(3 * page)}}, {{0x200000, Bytes(page)}}, {{0x180000, Bytes(2 * page)}}));
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].address, 0x100000u);
  EXPECT_EQ(out[0].bytes, Bytes(3 * page));
  EXPECT_EQ(out[0].per_page.value, 0);
  EXPECT_EQ(out[1].address, 0x180000u) << "they may appear there";
  EXPECT_EQ(out[2].address, 0x200000u);
}

TEST(Candidates, RunsOfAllTasksAddUpAndGapsAreUnused) {
  PhaseForecast phase = forecast_with({{0x100000, Bytes(10 * page)}});
  phase.objects = {0x100000};
  phase.tasks = {task_on(2, 4, 40), task_on(2, 4, 80)};
  const auto out = eviction_candidates(phase);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].bytes, Bytes(2 * page));
  EXPECT_EQ(out[1].address, 0x100000u + 2 * page);
  EXPECT_EQ(out[1].bytes, Bytes(4 * page));
  EXPECT_EQ(out[1].per_page.value, 30);
  EXPECT_EQ(out[2].address, 0x100000u + 6 * page);
  EXPECT_EQ(out[2].bytes, Bytes(4 * page));
}

TEST(Candidates, OfARunThePartThatIsThereCounts) {
  PhaseForecast phase = forecast_with({{0x100000 + 3 * page, Bytes(2 * page)}}, {{0x100000 + 5 * page, Bytes(page)}});
  phase.objects = {0x100000};
  phase.tasks = {task_on(2, 8, 80)};
  const auto out = eviction_candidates(phase);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].address, 0x100000u + 3 * page);
  EXPECT_EQ(out[0].bytes, Bytes(2 * page));
  EXPECT_EQ(out[0].per_page.value, 10);
  EXPECT_EQ(out[1].bytes, Bytes(page));
  EXPECT_EQ(out[1].per_page.value, 10);
}

}  // namespace
}  // namespace lbhm
