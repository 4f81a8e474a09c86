// Do units move when that pays in the next phases, and only then?
#include <gtest/gtest.h>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

constexpr TierId fast{0}, slow{1};

/// Of one page, alive all the time; `worth` of each phase.
PhasedUnit unit(const std::vector<double>& worth) {
  PhasedUnit made{.bytes = Bytes(4096), .first = 0, .last = static_cast<std::uint32_t>(worth.size()) - 1};
  for (std::uint32_t phase = 0; phase < worth.size(); ++phase)
    made.worth[phase] = {Nanoseconds(worth[phase]), Nanoseconds(0)};
  return made;
}

PhasedProblem problem(std::vector<PhasedUnit> units, double up, double down, std::uint32_t horizon = 1) {
  const auto phases = units.front().last + 1;
  return {.units = std::move(units),
          .capacities = {Bytes(4096), GiB(1)},
          .page_move = {{Nanoseconds(0), Nanoseconds(down)}, {Nanoseconds(up), Nanoseconds(0)}},
          .phases = phases,
          .horizon = horizon};
}

TEST(NextPhasesTest, EachPhaseGetsItsUnitWhileMovesAreCheap) {
  const PhasedChoice choice = next_phases(problem({unit({9, 1, 9}), unit({1, 9, 1})}, 1, 1));
  EXPECT_EQ(choice.births, (std::vector{fast, slow}));
  ASSERT_EQ(choice.moves.size(), 4u);
  EXPECT_EQ(choice.moves[0].phase, 1u);
  EXPECT_EQ(choice.moves[0].unit, 0u);  // makes room
  EXPECT_EQ(choice.moves[0].to, slow);
  EXPECT_EQ(choice.moves[1].unit, 1u);
  EXPECT_EQ(choice.moves[1].to, fast);
}

TEST(NextPhasesTest, NothingMovesWhenItCostsMoreThanItGains) {
  // 9 - 1 is gained, both copies together take 9.
  EXPECT_TRUE(next_phases(problem({unit({9, 1, 9}), unit({1, 9, 1})}, 5, 4)).moves.empty());
  EXPECT_EQ(next_phases(problem({unit({9, 1, 9}), unit({1, 9, 1})}, 4, 3)).moves.size(), 4u);
}

TEST(NextPhasesTest, ALongerViewPutsWhatIsNeededLaterThereFromTheBegin) {
  // Figure 4 of the paper: B is used first, D by far more afterwards; moving is too dear.
  const std::vector<PhasedUnit> units{unit({5, 0, 0}), unit({0, 30, 30})};
  EXPECT_EQ(next_phases(problem(units, 40, 40, 1)).births, (std::vector{fast, slow}));
  EXPECT_TRUE(next_phases(problem(units, 40, 40, 1)).moves.empty());
  EXPECT_EQ(next_phases(problem(units, 40, 40, 2)).births, (std::vector{slow, fast}));
}

TEST(NextPhasesTest, NewUnitsAppearWhereTheyBelongAndTheDeadLeaveRoom) {
  PhasedUnit first = unit({9, 0, 0}), second = unit({0, 8, 0}), third = unit({0, 0, 7});
  first.last = 0;
  second.first = second.last = 1;
  third.first = 2;
  first.worth.erase(1), first.worth.erase(2), second.worth.erase(0), second.worth.erase(2), third.worth.erase(0);
  PhasedProblem phased = problem({first, second, third}, 100, 100);
  phased.phases = 3;
  const PhasedChoice choice = next_phases(phased);
  EXPECT_EQ(choice.births, (std::vector{fast, fast, fast}));
  EXPECT_TRUE(choice.moves.empty());
}

TEST(NextPhasesTest, UnitsOfPhasesThatNeverComeAreInTheSlowestTier) {
  PhasedUnit late = unit({9});
  late.first = late.last = 7;
  late.worth = {{7, {Nanoseconds(9), Nanoseconds(0)}}};
  PhasedProblem phased = problem({unit({1}), late}, 0, 0);
  EXPECT_EQ(next_phases(phased).births, (std::vector{fast, slow}));
}

}  // namespace
}  // namespace lbhm::choose
