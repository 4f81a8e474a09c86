// Is what a lane does counted for the task that it names, in barriers too?
#include <gtest/gtest.h>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

class TaskLanes : public testing::Test, protected FakeLoop {
 protected:
  TaskLanes() : FakeLoop({16, 1000}) {
    region_ = lanes.region_begin(&code);
    lanes.lane_begin(region_, LaneId(0), 1);
  }
  ~TaskLanes() override {
    lanes.lane_end();
    lanes.region_end();
  }
  void pass(double nanoseconds) { machine.fake_execution().set_clock(clock_ += Nanoseconds(nanoseconds)); }
  double work_of(TaskNumber task) {
    lanes.work_on("");  // what is under way is counted when it ends
    for (const LaneTasks::Part& part : current_lane->tasks.parts()) {
      if (part.task == task) return part.did.work.value;
    }
    return 0;
  }
  double work_of(const char* task) { return work_of(number_of_task(task)); }

  static constexpr char code = 0;

 private:
  Nanoseconds clock_ = machine.execution().now();
  RegionInstance* region_ = nullptr;
};

TEST_F(TaskLanes, WaitsAreNoWork) {
  pass(10);
  lanes.work_on("north");
  pass(20);
  lanes.wait_begin(Wait::barrier, nullptr);
  pass(1000);
  lanes.wait_end(Wait::barrier, nullptr);
  pass(5);
  EXPECT_EQ(work_of("north"), 25);
  EXPECT_EQ(work_of(""), 10);
}

TEST_F(TaskLanes, AnExplicitTaskIsWorkWhileItsLaneWaits) {
  static constexpr char construct = 0, other = 0;
  lanes.wait_begin(Wait::barrier, nullptr);
  pass(100);
  const WorkAt barrier = lanes.go_on_with(lanes.fresh_task(&construct));
  pass(30);
  lanes.wait_begin(Wait::tasks, nullptr);  // of the explicit task, for another one
  const WorkAt suspended = lanes.go_on_with(lanes.fresh_task(&other));
  pass(5);
  lanes.go_on_with(suspended);
  pass(200);
  lanes.wait_end(Wait::tasks, nullptr);
  pass(7);
  lanes.go_on_with(barrier);
  pass(400);
  lanes.wait_end(Wait::barrier, nullptr);
  EXPECT_EQ(current_lane->busy.value, 42);
  EXPECT_EQ(work_of(number_of_construct(&construct)), 37);
  EXPECT_EQ(work_of(number_of_construct(&other)), 5);
  EXPECT_EQ(work_of(""), 0);
}

TEST_F(TaskLanes, ANameTakesThePlaceOfTheConstruct) {
  static constexpr char construct = 0;
  const WorkAt own = lanes.go_on_with(lanes.fresh_task(&construct));
  pass(2);
  lanes.work_on("north");
  pass(30);
  lanes.work_on("south");
  pass(4);
  lanes.go_on_with(own);
  EXPECT_EQ(work_of("north"), 32);
  EXPECT_EQ(work_of("south"), 4);
  EXPECT_EQ(work_of(number_of_construct(&construct)), 0);
}

TEST_F(TaskLanes, TasksThatTheRuntimeMakesAreOfTheConstructThatAskedForThem) {
  static constexpr char runtime = 0, taskloop = 0, inner = 0;
  const void* const before = lanes.makes_task(&taskloop);
  EXPECT_EQ(lanes.fresh_task(&runtime).task, number_of_construct(&taskloop));
  const void* const outer = lanes.makes_task(&inner);
  EXPECT_EQ(lanes.fresh_task(&runtime).task, number_of_construct(&inner));
  lanes.makes_task(outer);
  EXPECT_EQ(lanes.fresh_task(&runtime).task, number_of_construct(&taskloop));
  lanes.makes_task(before);
  EXPECT_EQ(lanes.fresh_task(&runtime).task, number_of_construct(&runtime));
}

TEST_F(TaskLanes, AnExplicitTaskWithANameIsWorkWhileItsLaneWaits) {
  lanes.wait_begin(Wait::barrier, nullptr);
  pass(100);
  lanes.work_on("north");
  pass(30);
  lanes.wait_begin(Wait::tasks, nullptr);  // of the explicit task
  pass(200);
  lanes.wait_end(Wait::tasks, nullptr);
  pass(7);
  lanes.work_on("");
  pass(400);
  lanes.work_on("south");
  pass(4);
  lanes.work_on("");
  lanes.wait_end(Wait::barrier, nullptr);
  EXPECT_EQ(work_of("north"), 37);
  EXPECT_EQ(work_of("south"), 4);
  EXPECT_EQ(work_of(""), 0);
  EXPECT_EQ(current_lane->busy.value, 41);
}

TEST(TaskNames, MeanNothingOutsideOfRegions) {
  struct Loop : FakeLoop {
    Loop() : FakeLoop({16, 1000}) {}
  } loop;
  loop.lanes.work_on("north");
  EXPECT_EQ(current_lane, nullptr);
}

TEST(TaskNames, AreNotKeptWhereNobodyCounts) {
  struct Loop : FakeLoop {
    Loop() : FakeLoop({16, 1000}) {}
  } loop;
  Lanes lanes{loop.machine, {}, loop.intervals, loop.loop};
  static constexpr char code = 0;
  RegionInstance* const region = lanes.region_begin(&code);
  lanes.lane_begin(region, LaneId(0), 1);
  lanes.work_on("north");
  EXPECT_FALSE(current_lane->tasks.any());
  lanes.lane_end();
  lanes.region_end();
}

}  // namespace
}  // namespace lbhm
