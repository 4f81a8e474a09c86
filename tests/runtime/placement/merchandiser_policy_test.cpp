// merchandiser while the program runs, on a machine whose accesses the test makes: memory-optimizer's exchanges until
// goals are reached, then for the others.
#include <gtest/gtest.h>

#include "tests/runtime/placement/fake_context.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x10000000;
constexpr std::uint64_t pages = 1000, in_fast = 250;
// Pages of lane 0 and of lane 1, all in slow memory at first.
constexpr std::uint64_t quick = 900, late = 940, hot = 20;

std::uintptr_t page_at(std::uint64_t number) { return base + number * 4096; }

class MerchandiserPolicy : public testing::Test {
 protected:
  MerchandiserPolicy() {
    machine.put(base, in_fast, fast);
    machine.put(page_at(in_fast), pages - in_fast, slow);
    context.add(base, pages);
  }
  /// Lane 0 is quick, lane 1 is late: the goals are for lane 1 alone.
  void phase_begins() {
    PhaseForecast phase;
    phase.tasks = {forecast(straight(0, 100, 90), {extent(0, quick, hot, 200)}),
                   forecast(straight(1, 400, 200), {extent(0, late, hot, 1e9)})};
    phase.objects = {base};
    phase.room = test_pages(hot);  // all of it is in the goal of lane 1
    const std::vector<PlacedObject> objects{{base, test_pages(pages), ""}};
    policy->on_phase({.number = 1, .objects = objects, .machine = machine.topology(), .forecast = &phase});
  }
  /// So many quanta, in each of which both lanes access their pages; `watched`: bits, or else samples.
  void run(int quanta, bool watched = true) {
    for (int i = 0; i < quanta; ++i) {
      for (std::uint64_t n = 0; n < hot; ++n) {
        if (watched)
          machine.fake_observer().access(page_at(quick + n)), machine.fake_observer().access(page_at(late + n));
        sample(0, page_at(quick + n)), sample(1, page_at(late + n));
      }
      now += Nanoseconds(43'000);
      machine.fake_execution().set_clock(now);
      policy->on_interval(context);
    }
  }
  void sample(std::uint32_t lane, std::uintptr_t address) {
    AccessSample sample;
    sample.address = address;
    sample.lane = LaneId(lane);
    sample.tier = machine.tier_of(address);
    machine.fake_samples().add(sample);
  }
  std::uint64_t fast_pages(std::uint64_t first) {
    std::uint64_t found = 0;
    for (std::uint64_t n = first; n < first + hot; ++n) found += machine.tier_of(page_at(n)) == fast;
    return found;
  }

  fake::FakeMachine machine{{in_fast, 4 * pages}};
  FakeContext context{machine};
  std::unique_ptr<Policy> policy = std::move(*make_policy("merchandiser"));
  Nanoseconds now;
};

TEST_F(MerchandiserPolicy, TheBaseInstanceRunsAsUnderMemoryOptimizer) {
  run(2000);
  EXPECT_EQ(fast_pages(quick), hot);
  EXPECT_EQ(fast_pages(late), hot);
}

TEST_F(MerchandiserPolicy, FromTheSecondInstanceOnPagesGoUpForTasksBelowTheirGoals) {
  phase_begins();
  run(2000);
  EXPECT_EQ(fast_pages(quick), 0u);
  EXPECT_EQ(fast_pages(late), hot);
}

TEST_F(MerchandiserPolicy, WithoutTheCheckOfGoalsItIsMemoryOptimizer) {
  policy = std::move(*make_policy("merchandiser", {.without = "goals"}));
  phase_begins();
  run(2000);
  EXPECT_EQ(fast_pages(quick), hot);
}

TEST_F(MerchandiserPolicy, ItsScansTellWhichPagesTheyFound) {
  EXPECT_TRUE(policy->needs(machine.topology()).finds_pages);
  run(2000);
  ASSERT_FALSE(context.found_pages.empty());
  std::vector<std::uintptr_t> used;
  for (const std::uint64_t begin : {quick, late})
    for (std::uint64_t n = begin; n < begin + hot; ++n) used.push_back(page_at(n));
  EXPECT_EQ(context.found_pages.back(), used);
}

TEST_F(MerchandiserPolicy, WhereNoPageIsWatchedSamplesAreEnough) {
  ASSERT_EQ(machine.observer(), nullptr);
  phase_begins();
  run(2000, false);
  EXPECT_EQ(fast_pages(quick), 0u);
  EXPECT_EQ(fast_pages(late), hot);
}

}  // namespace
}  // namespace lbhm
