// What samples say of pages, told apart from chance.
#include "runtime/placement/shrunk_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

constexpr double a_sample = 100;  // accesses

/// A task with an object of so many pages, in 64 stretches as forecasts have them; `heat(page)` expected samples of
/// each page, drawn by chance.
template <class Heat>
ScopeForecast sampled(std::uint64_t pages, unsigned seed, Heat heat) {
  std::mt19937 random(seed);
  std::vector<ExtentEstimate> extents;
  const std::uint64_t stretch = std::max<std::uint64_t>(1, pages / 64);
  for (std::uint64_t page = 0; page < pages; page += stretch) {
    const int samples = std::poisson_distribution<int>(heat(page) * static_cast<double>(stretch))(random);
    if (samples > 0) extents.push_back(extent(0, page, stretch, samples * a_sample));
  }
  ScopeForecast scope;
  scope.page = test_page;
  scope.bytes = {test_pages(pages)};
  scope.tasks.push_back(forecast(straight(0, 200, 100), extents));
  scope.tasks[0].accesses_a_sample = a_sample;
  return scope;
}

/// Tasks that use one object, each as its own `heat(task, page)` says.
template <class Heat>
ScopeForecast shared(std::uint64_t pages, std::size_t tasks, unsigned seed, Heat heat) {
  ScopeForecast scope;
  for (std::size_t task = 0; task < tasks; ++task) {
    ScopeForecast one =
        sampled(pages, seed + static_cast<unsigned>(task), [&](std::uint64_t page) { return heat(task, page); });
    if (task == 0)
      scope = one;
    else
      scope.tasks.push_back(one.tasks[0]);
  }
  return scope;
}

double accesses_to(const ScopeForecast& scope, std::uint64_t first, std::uint64_t pages, std::size_t task = 0) {
  double sum = 0;
  for (const ExtentEstimate& each : scope.tasks[task].accesses.extents) {
    const std::uint64_t begin = std::max(first, each.first.value);
    const std::uint64_t end = std::min(first + pages, each.first.value + each.pages);
    if (end > begin) sum += each.count.value * static_cast<double>(end - begin) / static_cast<double>(each.pages);
  }
  return sum;
}

/// How far pages are from their mean, as a part of it.
double unevenness(const ScopeForecast& scope, std::uint64_t pages) {
  const double mean = accesses_to(scope, 0, pages) / static_cast<double>(pages);
  double apart = 0;
  for (std::uint64_t page = 0; page < pages; ++page) apart += std::abs(accesses_to(scope, page, 1) - mean);
  return apart / mean / static_cast<double>(pages);
}

TEST(ShrunkHeat, PagesThatAreAlikeAreExpectedToBeAlike) {
  double before = 0, after = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ScopeForecast scope = sampled(256, seed, [](std::uint64_t) { return 0.5; });
    const double all = accesses_to(scope, 0, 256);
    before += unevenness(scope, 256) / 20;
    shrink_heat(scope);
    after += unevenness(scope, 256) / 20;
    EXPECT_NEAR(accesses_to(scope, 0, 256), all, 1e-6 * all);
  }
  EXPECT_GT(before, 0.5);
  EXPECT_LT(after, 0.1);
}

TEST(ShrunkHeat, PagesWithoutASampleHaveTheirPart) {
  ScopeForecast scope = sampled(256, 7, [](std::uint64_t) { return 0.2; });
  shrink_heat(scope);
  std::uint64_t pages = 0;
  for (const ExtentEstimate& each : scope.tasks[0].accesses.extents) pages += each.pages;
  EXPECT_EQ(pages, 256u);
}

TEST(ShrunkHeat, HotPagesStayHotAndUnusedOnesUnused) {
  ScopeForecast scope = sampled(256, 3, [](std::uint64_t page) { return page < 32 ? 40.0 : 0.0; });
  const double all = accesses_to(scope, 0, 256);
  shrink_heat(scope);
  EXPECT_GT(accesses_to(scope, 0, 32), 0.97 * all);
}

TEST(ShrunkHeat, WhatManyTasksShareIsSurerThanWhatOneOfThemShows) {
  // An eighth of the pages has half of the accesses, and each task hardly a sample for each of them.
  const auto heat = [](std::uint64_t page) { return page % 64 < 8 ? 0.7 : 0.1; };
  const auto of_hot = [](const ScopeForecast& scope) {
    return (accesses_to(scope, 0, 8) + accesses_to(scope, 64, 8) + accesses_to(scope, 128, 8) +
            accesses_to(scope, 192, 8)) /
           accesses_to(scope, 0, 256);
  };
  double alone = 0, together = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ScopeForecast one = sampled(256, 100 * seed, heat);
    ScopeForecast many = shared(256, 12, 100 * seed, [&](std::size_t, std::uint64_t page) { return heat(page); });
    shrink_heat(one);
    shrink_heat(many);
    alone += of_hot(one) / 20;
    together += of_hot(many) / 20;
  }
  EXPECT_LT(alone, 0.4);
  EXPECT_GT(together, 0.44) << "of one half";
}

TEST(ShrunkHeat, WhatATaskHasForItselfStaysItsOwn) {
  ScopeForecast scope =
      shared(256, 4, 11, [](std::size_t task, std::uint64_t page) { return page / 64 == task ? 20 : 0; });
  shrink_heat(scope);
  for (std::size_t task = 0; task < 4; ++task)
    EXPECT_GT(accesses_to(scope, 64 * task, 64, task), 0.95 * accesses_to(scope, 0, 256, task)) << task;
}

TEST(ShrunkHeat, TasksWhosePartsBeginElsewhereKeepTheirTotals) {
  ScopeForecast scope = shared(256, 2, 5, [](std::size_t, std::uint64_t) { return 1; });
  scope.tasks[1].accesses.extents = {extent(0, 3, 50, 700), extent(0, 101, 155, 1300)};
  shrink_heat(scope);
  EXPECT_NEAR(accesses_to(scope, 0, 256, 1), 2000, 1e-6);
}

TEST(ShrunkHeat, ExactCountsStayAsTheyAre) {
  ScopeForecast scope = sampled(64, 5, [](std::uint64_t) { return 2.0; });
  scope.tasks[0].accesses_a_sample = 0;
  const auto before = scope.tasks[0].accesses.extents;
  shrink_heat(scope);
  ASSERT_EQ(scope.tasks[0].accesses.extents.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(scope.tasks[0].accesses.extents[i].count, before[i].count);
}

}  // namespace
}  // namespace lbhm::placement
