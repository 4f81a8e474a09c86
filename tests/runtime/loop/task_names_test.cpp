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
  double work_of(const char* task) {
    lanes.work_on("");  // what is under way is counted when it ends
    for (const LaneTasks::Part& part : current_lane->tasks.parts()) {
      if (part.task == number_of_task(task)) return part.did.work.value;
    }
    return 0;
  }

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
