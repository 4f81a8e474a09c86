// Is what a lane does said of the task that it names?
#include "runtime/phases/named_tasks.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "runtime/phases/phases.h"

namespace lbhm {
namespace {

Reading reading(double now, double instructions) {
  Reading result{.time = Nanoseconds(now), .work = Nanoseconds(now), .events = {}, .accesses = {AccessCount(2 * now)}};
  result.events.instructions = instructions;
  return result;
}

double work_of(const LaneTasks& tasks, TaskNumber task) {
  double work = 0;
  for (const LaneTasks::Part& part : tasks.parts()) work += part.task == task ? part.did.work.value : 0;
  return work;
}

TEST(LaneTasks, PartsAddUpToTheLane) {
  LaneTasks tasks;
  EXPECT_FALSE(tasks.any());
  const Reading begin = reading(0, 0);
  tasks.work_on(7, reading(10, 1), begin);
  tasks.work_on(8, reading(30, 3), begin);
  tasks.work_on(7, reading(60, 9), begin);
  tasks.end(reading(100, 10));
  ASSERT_EQ(tasks.parts().size(), 3u);
  EXPECT_EQ(work_of(tasks, 0), 10);
  EXPECT_EQ(work_of(tasks, 7), 20 + 40);
  EXPECT_EQ(work_of(tasks, 8), 30);
  EXPECT_EQ(tasks.parts()[1].did.events.instructions, 2 + 1);
  EXPECT_EQ(tasks.parts()[1].did.accesses[0].value, 2 * 60);
}

TEST(LaneTasks, ASampleIsOfTheTaskAtItsTime) {
  LaneTasks tasks;
  tasks.work_on(7, reading(10, 0), reading(0, 0));
  tasks.work_on(0, reading(30, 0), reading(0, 0));
  EXPECT_EQ(tasks.at(Nanoseconds(9)), 0u);
  EXPECT_EQ(tasks.at(Nanoseconds(10)), 7u);
  EXPECT_EQ(tasks.at(Nanoseconds(29)), 7u);
  EXPECT_EQ(tasks.at(Nanoseconds(31)), 0u);
}

TEST(LaneTasks, TheNextRegionBeginsWithoutAny) {
  LaneTasks tasks;
  tasks.work_on(7, reading(10, 0), reading(0, 0));
  tasks.clear();
  EXPECT_FALSE(tasks.any());
  EXPECT_EQ(tasks.at(Nanoseconds(20)), 0u);
  tasks.work_on(8, reading(110, 0), reading(100, 0));
  EXPECT_EQ(work_of(tasks, 0), 10) << "counted from where the lane began";
}

TEST(LaneTasks, BeyondTheMostSwitchesTheLaneStaysWithItsTask) {
  LaneTasks tasks;
  double now = 0;
  for (std::size_t i = 0; i < LaneTasks::most_switches + 5; ++i) tasks.work_on(1 + i % 2, reading(++now, 0), {});
  tasks.end(reading(++now, 0));
  EXPECT_EQ(work_of(tasks, 0) + work_of(tasks, 1) + work_of(tasks, 2), now);
  EXPECT_EQ(tasks.at(Nanoseconds(now)), 2u);
}

/// A task, then `between` until the next one; as many as two lanes could tell apart. The task at the end.
TaskNumber task_behind_many(AccessCount between) {
  LaneTasks tasks;
  Reading now{.time = {}, .work = {}, .events = {}, .accesses = {AccessCount(0)}};
  const auto go_on = [&](TaskNumber task, AccessCount accesses) {
    now.time += Nanoseconds(1);
    now.accesses[0] += accesses;
    tasks.work_on(task, now, {});
  };
  for (std::size_t i = 0; i < 2 * LaneTasks::most_switches; ++i) {
    go_on(7, between);
    go_on(0, AccessCount(1));
  }
  go_on(8, AccessCount(0));
  return tasks.at(now.time);
}

TEST(LaneTasks, TasksOfOneConstructThatFollowEachOtherTakeNoMemory) {
  EXPECT_EQ(task_behind_many(AccessCount(0)), 8u);
  EXPECT_NE(task_behind_many(AccessCount(1)), 8u) << "no place is left";
}

TEST(TaskNames, ANameHasOneNumber) {
  const TaskNumber ring = number_of_task("ring");
  EXPECT_NE(ring, 0u);
  EXPECT_EQ(number_of_task("ring"), ring);
  EXPECT_NE(number_of_task("chain"), ring);
  EXPECT_EQ(name_of_task(ring), "ring");
  EXPECT_EQ(number_of_task(""), 0u);
  EXPECT_EQ(name_of_task(0), "");
}

TEST(TaskNames, ThreadsMeetThemAtTheSameTime) {
  std::vector<std::vector<TaskNumber>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& numbers : seen) {
      threads.emplace_back([&numbers] {
        for (int i = 0; i < 200; ++i) numbers.push_back(number_of_task("task " + std::to_string(i)));
      });
    }
  }
  for (const auto& numbers : seen) EXPECT_EQ(numbers, seen[0]);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(name_of_task(seen[0][i]), "task " + std::to_string(i));
}

TEST(TaskIndex, LanesHaveTheirNumbers) {
  TaskIndex index;
  EXPECT_EQ(index.of_lane(0), 0u);
  EXPECT_EQ(index.of_lane(1), 1u);
  EXPECT_EQ(index.of_task(9), 2u);
  EXPECT_EQ(index.of_lane(2), 3u) << "the team has grown";
  EXPECT_EQ(index.of_task(9), 2u);
  EXPECT_EQ(index.of_lane(1), 1u);
}

class TwoLanes : public testing::Test {
 protected:
  TwoLanes() {
    region.lanes = 2;
    region.states.make_first();
    for (std::uint32_t number = 0; number < 2; ++number) {
      LaneState& lane = *region.states.make(number);
      lane.region = &region;
      lane.lane = LaneId(number);
      lane.busy = Nanoseconds(100);
      lane.accesses = {AccessCount(200)};
    }
  }
  LaneTasks& tasks_of_lane(std::uint32_t number) { return region.states.find(number)->tasks; }

  const std::vector<TaskRun>& run() {
    tasks_of(region, index, list);
    return list;
  }

  RegionInstance region;
  TaskIndex index;
  std::vector<TaskRun> list;
};

TEST_F(TwoLanes, WithoutNamesATaskIsALane) {
  const std::vector<TaskRun>& tasks = run();
  ASSERT_EQ(tasks.size(), 2u);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(tasks[lane].number, LaneId(lane));
    EXPECT_EQ(tasks[lane].did.work.value, 100);
    EXPECT_EQ(tasks[lane].did.accesses[0].value, 200);
  }
}

TEST_F(TwoLanes, ATaskOfBothLanesTakesTheMeanOfTheirTimes) {
  const TaskNumber shared = number_of_task("shared");
  tasks_of_lane(0).work_on(shared, reading(20, 0), reading(0, 0));
  tasks_of_lane(0).end(reading(100, 8));
  tasks_of_lane(1).work_on(shared, reading(60, 0), reading(0, 0));
  tasks_of_lane(1).end(reading(100, 4));
  const std::vector<TaskRun>& tasks = run();
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0].did.work.value, 20);
  EXPECT_EQ(tasks[1].did.work.value, 60);
  EXPECT_EQ(tasks[2].task, shared);
  EXPECT_EQ(tasks[2].on, 2u);
  EXPECT_EQ(tasks[2].did.work.value, (80 + 40) / 2.0);
  EXPECT_EQ(tasks[2].did.events.instructions, (8 + 4) / 2.0);
  EXPECT_EQ(tasks[2].did.accesses[0].value, 2 * (80 + 40));
}

TEST_F(TwoLanes, SamplesGoToTheTask) {
  const TaskNumber piece = number_of_task("piece");
  tasks_of_lane(1).work_on(piece, reading(50, 0), reading(0, 0));
  tasks_of_lane(1).end(reading(100, 0));
  run();  // numbers: the lanes', then the piece's
  std::vector<AccessSample> samples(4);
  samples[0].lane = LaneId(0), samples[0].time = Nanoseconds(70);
  samples[1].lane = LaneId(1), samples[1].time = Nanoseconds(49);
  samples[2].lane = LaneId(1), samples[2].time = Nanoseconds(51);
  samples[3].lane = LaneId(77);
  assign(samples, region, index);
  EXPECT_EQ(samples[0].lane, LaneId(0));
  EXPECT_EQ(samples[1].lane, LaneId(1));
  EXPECT_EQ(samples[2].lane, LaneId(2));
  EXPECT_EQ(samples[3].lane, LaneId(77)) << "of no lane of the region";
}

// Last: it leaves no names to the process.
TEST(TaskNamesOfAProcess, FurtherOnesAreNone) {
  TaskNumber last = 1;
  for (TaskNumber i = 0; i <= most_task_names && last != 0; ++i)
    last = number_of_task("one of many " + std::to_string(i));
  EXPECT_EQ(last, 0u);
  EXPECT_EQ(number_of_task("ring of too many"), 0u);
}

}  // namespace
}  // namespace lbhm
