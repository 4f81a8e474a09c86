// Are executions of code regions counted and timed right, whichever way a region is left?
#include "runtime/record/region_stack.h"

#include <gtest/gtest.h>

#include "lbhm/code_regions.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr std::uint32_t outer = 1, inner = 2, body = 3;
constexpr std::uintptr_t main_frame = 900, callee = 500, deepest = 100;  // stacks grow downwards

class RegionStackTest : public testing::Test {
 protected:
  void at(double time, double instructions = 0) {
    machine.fake_execution().set_clock(Nanoseconds(time));
    machine.set_events({.instructions = instructions});
    machine.set_accesses({AccessCount(time / 10), AccessCount(time / 5)});
  }
  void begin(std::uint32_t slot, std::uintptr_t frame, std::uint16_t kind = LBHM_REGION_LOOP) {
    stack.begin(machine, lane, {slot, kind, frame});
  }
  void end(std::uint32_t slot, std::uintptr_t frame, std::uint16_t kind = LBHM_REGION_LOOP) {
    stack.end(machine, lane, {slot, kind, frame});
  }
  RegionTotals of(std::uint32_t slot, std::uint32_t in_lane = 0) {
    TotalsByLane sums;
    stack.add_to(sums);
    const auto& totals = sums[in_lane];
    return slot <= totals.size() ? totals[slot - 1] : RegionTotals{};
  }

  fake::FakeMachine machine{{10, 10}};
  RegionStack stack{3};
  const LaneState* lane = nullptr;
};

TEST_F(RegionStackTest, InclusiveIsSelfAndNestedTogether) {
  at(0, 0);
  begin(outer, main_frame);
  at(10, 100);
  begin(inner, callee);
  at(40, 150);
  end(inner, callee);
  at(50, 300);
  end(outer, main_frame);
  EXPECT_EQ(of(outer).inclusive.time, Nanoseconds(50));
  EXPECT_EQ(of(inner).inclusive.time, Nanoseconds(30));
  EXPECT_EQ(of(outer).self.time, Nanoseconds(20));
  EXPECT_EQ(of(outer).self.events.instructions, 250);
  EXPECT_EQ(of(inner).self.events.instructions, 50);
  EXPECT_EQ(of(outer).self.accesses[1].value, 4);
  EXPECT_EQ(of(inner).inclusive.accesses[0].value, 3);
}

TEST_F(RegionStackTest, WhatRunsInsideAWaitIsNoWork) {
  LaneState waits;  // 10 ns of work, a barrier of 30 ns in which a reduction is combined, 5 ns of work
  lane = &waits;
  at(0);
  begin(outer, main_frame);
  at(10);
  waits.busy = Nanoseconds(10);
  waits.work.waiting = true;
  begin(inner, callee);
  at(40);
  end(inner, callee);
  waits.segment_begin = Nanoseconds(40);
  waits.work.waiting = false;
  at(45);
  end(outer, main_frame);
  EXPECT_EQ(of(inner).inclusive.work, Nanoseconds(0));
  EXPECT_EQ(of(inner).inclusive.time, Nanoseconds(30));
  EXPECT_EQ(of(outer).inclusive.work, Nanoseconds(15));
  EXPECT_EQ(of(outer).self.work, Nanoseconds(15));
}

TEST_F(RegionStackTest, FirstShortestAndLongestExecutionAreKept) {
  for (const double time : {20.0, 10.0, 40.0}) {
    at(0);
    begin(outer, main_frame);
    at(time);
    end(outer, main_frame);
  }
  EXPECT_EQ(of(outer).base, Nanoseconds(20));
  EXPECT_EQ(of(outer).least, Nanoseconds(10));
  EXPECT_EQ(of(outer).most, Nanoseconds(40));
  EXPECT_EQ(of(outer).squares, 400 + 100 + 1600);
}

TEST_F(RegionStackTest, BeyondTheLimitExecutionsAreCountedAndSelfIsNotGuessed) {
  begin(outer, main_frame);
  for (int i = 0; i < 5; ++i) {
    begin(inner, callee);
    end(inner, callee);
  }
  end(outer, main_frame);
  EXPECT_EQ(of(inner).executions, 5u);
  EXPECT_EQ(of(inner).measured, 3u);
  EXPECT_EQ(of(outer).measured, 1u);
  EXPECT_EQ(of(outer).self_measured, 0u) << "two nested executions have no time";
  EXPECT_EQ(of(outer).beyond_limit, 1u);
  EXPECT_EQ(of(inner).beyond_limit, 0u);
}

TEST_F(RegionStackTest, ARegionWhoseFrameIsGoneIsAbandoned) {
  at(0);
  begin(outer, main_frame);
  begin(inner, callee);
  at(100);
  stack.unwound({outer, LBHM_REGION_LOOP, main_frame});  // an exception is caught in the outer loop
  at(110);
  end(outer, main_frame);
  EXPECT_EQ(of(inner).executions, 1u);
  EXPECT_EQ(of(inner).abandoned, 1u);
  EXPECT_EQ(of(inner).measured, 0u);
  EXPECT_EQ(of(outer).measured, 1u);
  EXPECT_EQ(of(outer).self_measured, 0u);
}

TEST_F(RegionStackTest, ALongjmpOutOfALoopOfTheSameFrameEndsIt) {
  begin(outer, main_frame);
  begin(inner, callee);
  stack.unwound({0, 0, main_frame});  // behind setjmp, outside of all loops
  begin(inner, main_frame);
  end(inner, main_frame);
  EXPECT_EQ(of(outer).abandoned, 1u);
  EXPECT_EQ(of(inner).abandoned, 1u);
  EXPECT_EQ(of(inner).measured, 1u);
}

TEST_F(RegionStackTest, EvenWithoutAWordTheNextRegionOfACallerTells) {
  begin(outer, callee);
  begin(inner, deepest);
  begin(outer, main_frame);
  end(outer, main_frame);
  EXPECT_EQ(of(outer).abandoned, 1u);
  EXPECT_EQ(of(inner).abandoned, 1u);
  EXPECT_EQ(of(outer).measured, 1u);
}

TEST_F(RegionStackTest, ABodyKeepsItsLoops) {
  begin(body, callee, LBHM_REGION_PARALLEL);
  for (int i = 0; i < 2; ++i) {
    begin(inner, callee, LBHM_REGION_WORKSHARING);
    end(inner, callee, LBHM_REGION_WORKSHARING);
  }
  end(body, callee, LBHM_REGION_PARALLEL);
  EXPECT_EQ(of(inner).measured, 2u);
  EXPECT_EQ(of(body).measured, 1u);
  EXPECT_EQ(of(body).self_measured, 1u);
}

TEST_F(RegionStackTest, AnEndWithoutABeginIsPassedOver) {
  end(outer, main_frame);
  begin(body, callee, LBHM_REGION_PARALLEL);
  end(inner, callee);
  end(body, callee, LBHM_REGION_PARALLEL);
  EXPECT_EQ(of(body).measured, 1u);
  EXPECT_EQ(of(outer).executions, 0u);
}

TEST_F(RegionStackTest, WaitsOfALaneAreNoWork) {
  LaneState state;
  state.lane = LaneId(5);
  lane = &state;
  at(100);
  begin(outer, main_frame);
  state.busy = Nanoseconds(160);  // worked until then, and waited until 190
  state.segment_begin = Nanoseconds(190);
  at(200);
  end(outer, main_frame);
  EXPECT_EQ(of(outer, 5).inclusive.time, Nanoseconds(100));
  EXPECT_EQ(of(outer, 5).inclusive.work, Nanoseconds(70));
  EXPECT_EQ(of(outer, 0).executions, 0u);
}

}  // namespace
}  // namespace lbhm
