// What samples say of pages, told apart from chance.
#include "runtime/placement/heat/shrunk_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

constexpr double a_sample = 100;  // accesses

/// A task with an object of so many pages, in 64 parts as forecasts have them; `heat(page)` expected samples of
/// each page, drawn by chance.
template <class Heat>
PhaseForecast sampled(std::uint64_t pages, unsigned seed, Heat heat) {
  std::mt19937 random(seed);
  std::vector<ExtentEstimate> extents;
  const std::uint64_t part = std::max<std::uint64_t>(1, pages / 64);
  for (std::uint64_t page = 0; page < pages; page += part) {
    const int samples = std::poisson_distribution<int>(heat(page) * static_cast<double>(part))(random);
    if (samples > 0) extents.push_back(extent(0, page, part, samples * a_sample));
  }
  PhaseForecast phase;
  phase.page = test_page;
  phase.bytes = {test_pages(pages)};
  phase.tasks.push_back(forecast(straight(0, 200, 100), extents));
  phase.tasks[0].accesses_a_sample = a_sample;
  return phase;
}

double accesses_to(const PhaseForecast& phase, std::uint64_t first, std::uint64_t pages) {
  double sum = 0;
  for (const ExtentEstimate& each : phase.tasks[0].accesses.extents) {
    const std::uint64_t begin = std::max(first, each.first.value);
    const std::uint64_t end = std::min(first + pages, each.first.value + each.pages);
    if (end > begin) sum += each.count.value * static_cast<double>(end - begin) / static_cast<double>(each.pages);
  }
  return sum;
}

/// How far pages are from their mean, as a part of it.
double unevenness(const PhaseForecast& phase, std::uint64_t pages) {
  const double mean = accesses_to(phase, 0, pages) / static_cast<double>(pages);
  double apart = 0;
  for (std::uint64_t page = 0; page < pages; ++page) apart += std::abs(accesses_to(phase, page, 1) - mean);
  return apart / mean / static_cast<double>(pages);
}

TEST(ShrunkHeat, PagesThatAreAlikeAreExpectedToBeAlike) {
  double before = 0, after = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    PhaseForecast phase = sampled(256, seed, [](std::uint64_t) { return 0.5; });
    const double all = accesses_to(phase, 0, 256);
    before += unevenness(phase, 256) / 20;
    shrink_heat(phase);
    after += unevenness(phase, 256) / 20;
    EXPECT_NEAR(accesses_to(phase, 0, 256), all, 1e-6 * all);
  }
  EXPECT_GT(before, 0.5);
  EXPECT_LT(after, 0.1);
}

TEST(ShrunkHeat, PagesWithoutASampleHaveTheirPart) {
  PhaseForecast phase = sampled(256, 7, [](std::uint64_t) { return 0.2; });
  shrink_heat(phase);
  std::uint64_t pages = 0;
  for (const ExtentEstimate& each : phase.tasks[0].accesses.extents) pages += each.pages;
  EXPECT_EQ(pages, 256u);
}

TEST(ShrunkHeat, HotPagesStayHotAndUnusedOnesUnused) {
  PhaseForecast phase = sampled(256, 3, [](std::uint64_t page) { return page < 32 ? 40.0 : 0.0; });
  const double all = accesses_to(phase, 0, 256);
  shrink_heat(phase);
  EXPECT_GT(accesses_to(phase, 0, 32), 0.97 * all);
}

TEST(ShrunkHeat, ExactCountsStayAsTheyAre) {
  PhaseForecast phase = sampled(64, 5, [](std::uint64_t) { return 2.0; });
  phase.tasks[0].accesses_a_sample = 0;
  const auto before = phase.tasks[0].accesses.extents;
  shrink_heat(phase);
  ASSERT_EQ(phase.tasks[0].accesses.extents.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(phase.tasks[0].accesses.extents[i].count, before[i].count);
}

}  // namespace
}  // namespace lbhm::placement
