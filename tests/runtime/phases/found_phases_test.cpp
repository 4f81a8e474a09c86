// Is a program's iteration found in the sequence of its regions, whatever lies within and around it?
#include "runtime/phases/found_phases.h"

#include <gtest/gtest.h>

#include <vector>

namespace lbhm {
namespace {

constexpr Nanoseconds least{100};

/// Regions in virtual time; remembers with which of them phases began, and when.
struct Program {
  void region(std::uint32_t number, double takes) {
    if (found.begins(number, now, least)) begun.emplace_back(number, now.value);
    now += Nanoseconds(takes);
  }
  std::vector<double> begins_of(std::uint32_t number) const {
    std::vector<double> times;
    for (const auto& [region, time] : begun) {
      if (region == number) times.push_back(time);
    }
    return times;
  }

  FoundPhases found;
  Nanoseconds now;
  std::vector<std::pair<std::uint32_t, double>> begun;
};

TEST(FoundPhases, ARegionThatIsLongEnoughIsAPhaseFromItsFirstTimeOn) {
  Program program;
  for (int time = 0; time < 3; ++time) program.region(0, 150);
  EXPECT_EQ(program.begins_of(0), (std::vector<double>{0, 150, 300}));
}

TEST(FoundPhases, AnIterationOfSeveralRegionsIsOnePhase) {
  Program program;
  for (int iteration = 0; iteration < 4; ++iteration) {
    for (std::uint32_t region = 0; region < 5; ++region) program.region(region, 30);
  }
  // While nothing has come twice, what comes after 120 may be the iteration just as well.
  EXPECT_EQ(program.begins_of(0), (std::vector<double>{0, 300, 450}));
  EXPECT_EQ(program.begins_of(4), std::vector<double>{120});
}

TEST(FoundPhases, ShortIterationsJoin) {
  Program program;
  for (int iteration = 0; iteration < 100; ++iteration) {
    program.region(0, 20);
    program.region(1, 10);
  }
  const std::vector<double> begins = program.begins_of(0);
  ASSERT_GT(begins.size(), 20u);
  for (std::size_t phase = 1; phase < begins.size(); ++phase) EXPECT_EQ(begins[phase] - begins[phase - 1], 120);
}

TEST(FoundPhases, TheStepAroundAnInnerLoopOfChangingLengthIsThePhase) {
  Program program;
  std::vector<double> steps;
  for (int step = 0; step < 10; ++step) {
    steps.push_back(program.now.value);
    program.region(0, 10);
    for (int inner = 0; inner < 15 + step % 3; ++inner) program.region(1, 10);
  }
  const std::vector<double> begins = program.begins_of(0);
  ASSERT_GE(begins.size(), 8u);
  EXPECT_EQ(std::vector(begins.end() - 5, begins.end()), std::vector(steps.end() - 5, steps.end()));
}

TEST(FoundPhases, RegionsBeforeTheIterationBeginNoFurtherPhases) {
  Program program;
  program.region(0, 500);
  for (int iteration = 0; iteration < 5; ++iteration) program.region(1, 150);
  EXPECT_EQ(program.begins_of(0).size(), 1u);
  EXPECT_EQ(program.begins_of(1).size(), 5u);
}

TEST(FoundPhases, AProgramThatDoesSomethingElseHasAnotherPhase) {
  Program program;
  for (int iteration = 0; iteration < 5; ++iteration) program.region(0, 150);
  for (int iteration = 0; iteration < 20; ++iteration) program.region(1, 150);
  EXPECT_GE(program.begins_of(1).size(), 15u);
}

}  // namespace
}  // namespace lbhm
