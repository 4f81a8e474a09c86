// Do tasks end together, as early as whole units let them?
#include <gtest/gtest.h>

#include <random>

#include "runtime/placement/choose/choose.h"
#include "runtime/placement/choose/task_uses.h"

namespace lbhm::choose {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr Bytes page{4096};

/// Saves so much for each of these tasks.
Unit unit(std::uint64_t pages, const std::map<std::uint32_t, double>& saves) {
  Unit made{.bytes = page * pages, .worth = {}, .born = {}, .dies = Nanoseconds(1)};
  for (const auto& [task, saved] : saves) made.saves[task] = {Nanoseconds(saved), Nanoseconds(0)};
  return made;
}

Problem problem_of(std::vector<Unit> units, std::uint64_t pages, const std::vector<double>& times) {
  Problem problem{.units = std::move(units), .capacities = {page * pages, GiB(1)}};
  for (const double time : times) problem.tasks.push_back({.phase = 0, .time = Nanoseconds(time)});
  return problem;
}

double least_end(const Problem& problem) {
  double least = end_of(problem, {.tiers = std::vector(problem.units.size(), slow)}).value;
  for (unsigned set = 0; set < 1u << problem.units.size(); ++set) {
    Choice choice{.tiers = std::vector(problem.units.size(), slow)};
    Bytes used;
    for (std::size_t i = 0; i < problem.units.size(); ++i)
      if ((set >> i & 1) != 0) {
        choice.tiers[i] = fast;
        used += problem.units[i].bytes;
      }
    if (used <= problem.capacities[0]) least = std::min(least, end_of(problem, choice).value);
  }
  return least;
}

TEST(BalancedTest, TheSlowestTaskComesFirstThoughOthersSaveMore) {
  const Problem problem = problem_of({unit(4, {{0, 60}}), unit(4, {{1, 40}})}, 4, {70, 100});
  EXPECT_EQ(balanced(problem).tiers, (std::vector{slow, fast}));
  EXPECT_EQ(end_of(problem, balanced(problem)), Nanoseconds(70));
}

TEST(BalancedTest, WhoeverIsLastIsNotPushedBeyondTheNextOne) {
  // Of 4 pages: 30 ms of one task's 100 for 2 of them, then 25 of the other's 90.
  const Problem problem =
      problem_of({unit(2, {{0, 30}}), unit(2, {{0, 30}}), unit(2, {{1, 25}}), unit(2, {{1, 1}})}, 4, {100, 90});
  EXPECT_EQ(end_of(problem, balanced(problem)), Nanoseconds(70));
}

TEST(BalancedTest, EachPhaseHasItsLastTask) {
  Problem problem = problem_of({unit(1, {{0, 50}}), unit(1, {{1, 50}}), unit(1, {{2, 60}, {3, 60}})}, 1, {100, 100});
  problem.tasks.push_back({.phase = 1, .time = Nanoseconds(100)});
  problem.tasks.push_back({.phase = 1, .time = Nanoseconds(100)});
  EXPECT_EQ(balanced(problem).tiers, (std::vector{slow, slow, fast})) << "it alone helps all tasks of a phase";
}

TEST(BalancedTest, WithoutTasksNothingIsWorthAnything) {
  EXPECT_EQ(balanced(problem_of({unit(1, {})}, 4, {})).tiers, std::vector{slow});
  EXPECT_EQ(end_of(problem_of({}, 4, {}), {}), Nanoseconds(0));
}

TEST(BalancedTest, ItIsNearWhatBruteForceFinds) {
  std::mt19937_64 random(3);
  const auto below = [&](std::uint64_t most) { return static_cast<double>(random() % most); };
  int off = 0;
  double lost = 0;
  constexpr int instances = 100;
  for (int instance = 0; instance < instances; ++instance) {
    std::vector<Unit> units;
    std::vector<double> times(4, 200);
    for (int i = 0; i < 12; ++i) {
      std::map<std::uint32_t, double> saves;
      for (std::uint32_t task = 0; task < times.size(); ++task) {
        if (random() % 2 == 0) continue;
        saves[task] = below(100);
        times[task] += saves[task];
      }
      units.push_back(unit(1 + random() % 8, saves));
    }
    const Problem problem = problem_of(std::move(units), 5 + random() % 25, times);
    const double end = end_of(problem, balanced(problem)).value, least = least_end(problem);
    ASSERT_GE(end, least);
    off += end > 1.01 * least ? 1 : 0;
    lost += end / least - 1;
  }
  RecordProperty("off", off);
  EXPECT_LE(off, instances / 5);
  EXPECT_LT(lost / instances, 0.01);
}

/// A lane's loads that wait: 100 ns each in slow memory, none in fast memory; the memory serves one in `service` ns.
TaskUses uses_of(double service) {
  constexpr BytesPerNanosecond endless(1e12);
  return {.phases = {Nanoseconds(1000)},
          .phase_of = {0, 0},
          .units = {{{.task = 0, .use = {.loads = AccessCount(8), .stores = {}, .hit_ratio = 0}}},
                    {{.task = 1, .use = {.loads = AccessCount(2), .stores = {}, .hit_ratio = 0}}}},
          .elsewhere = {},
          .lane = {{Nanoseconds(0), endless, endless}, {Nanoseconds(100), endless, endless}},
          .shared = {{Nanoseconds(0), endless, endless}, {Nanoseconds(100), BytesPerNanosecond(64 / service), endless}},
          .line = Bytes(64)};
}

TEST(TaskUsesTest, LanesWaitAndTheRestIsTheSameForAll) {
  std::vector<PhasedUnit> units(2);
  const std::vector<Task> tasks = add_savings(uses_of(1e-6), units);
  ASSERT_EQ(tasks.size(), 3u) << "two lanes and a memory";
  EXPECT_NEAR(tasks[0].time.value, 1000, 1e-3);
  EXPECT_NEAR(tasks[1].time.value, 400, 1e-3);
  EXPECT_NEAR(units[0].saves[0][0].value, 800, 1e-3);
  EXPECT_NEAR(units[1].saves[1][0].value, 200, 1e-3);
}

TEST(TaskUsesTest, WhereTheMemoryIsBusyWhoeverAsksLessOfItHelpsAll) {
  std::vector<PhasedUnit> units(2);
  const std::vector<Task> tasks = add_savings(uses_of(50), units);  // busy for half of the phase
  EXPECT_NEAR(tasks[2].time.value, 0.5 * 800, 1e-3);
  EXPECT_NEAR(units[0].saves[0][0].value, 0.5 * 800, 1e-3);
  EXPECT_NEAR(units[0].saves[2][0].value, 0.8 * 400, 1e-3);
  EXPECT_NEAR(units[1].saves[2][0].value, 0.2 * 400, 1e-3);
}

TEST(TaskUsesTest, ALaneWaitsNoLongerThanItsPhase) {
  TaskUses uses = uses_of(1e-6);
  uses.units[0][0].use.loads = AccessCount(40);  // four under way at a time
  std::vector<PhasedUnit> units(2);
  const std::vector<Task> tasks = add_savings(uses, units);
  EXPECT_NEAR(tasks[0].time.value, 1000, 1e-3);
  EXPECT_NEAR(units[0].saves[0][0].value, 1000, 1e-3);
  EXPECT_NEAR(tasks[1].time.value, 200, 1e-3) << "the others' waits are as they were";
}

}  // namespace
}  // namespace lbhm::choose
