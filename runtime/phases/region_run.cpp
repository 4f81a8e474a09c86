// What the tasks of a region did: lanes, or the parts of their work that the program named.
#include <algorithm>
#include <utility>

#include "runtime/base/event_fields.h"
#include "runtime/phases/phases.h"

namespace lbhm {
namespace {

void add_blocks(std::vector<double>& sums, const BlockCounts& counts) {
  if (sums.size() < counts.size()) sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
}

/// Places of a list whose memory is used again.
class TaskList {
 public:
  explicit TaskList(std::vector<TaskRun>& tasks) : tasks_(tasks) {}
  TaskRun& operator[](std::uint32_t number) {
    if (tasks_.size() <= number) tasks_.resize(number + 1);
    while (used_ <= number) clear(tasks_[used_], used_), ++used_;
    return tasks_[number];
  }
  void end() { tasks_.resize(used_); }

 private:
  static void clear(TaskRun& task, std::uint32_t number) {
    std::vector<AccessCount> accesses = std::move(task.did.accesses);
    accesses.clear();
    task = {.number = LaneId(number)};
    task.did.accesses = std::move(accesses);
  }

  std::vector<TaskRun>& tasks_;
  std::uint32_t used_ = 0;
};

}  // namespace

void tasks_of(const RegionInstance& region, TaskIndex& index, std::vector<TaskRun>& tasks) {
  TaskList list(tasks);
  bool named = false;
  for (std::uint32_t number = 0; number < region.lanes; ++number) {
    const LaneState& lane = *region.states.find(number);
    TaskRun& task = list[index.of_lane(number)];
    task.on = 1;
    task.lane = &lane;
    if (lane.tasks.any()) {
      named = true;
      continue;
    }
    task.did.work = lane.busy;
    task.did.events = lane.events;
    task.did.accesses = lane.accesses;
  }
  for (std::uint32_t number = 0; named && number < region.lanes; ++number) {
    for (const auto& [name, did] : region.states.find(number)->tasks.parts()) {
      TaskRun& task = list[name == 0 ? index.of_lane(number) : index.of_task(name)];
      task.task = name;
      task.on += name == 0 ? 0 : 1;
      task.did += did;
    }
  }
  list.end();
  for (TaskRun& task : tasks) {
    if (task.on < 2) continue;
    task.did.work = task.did.work / task.on;
    task.did.events = task.did.events / task.on;
  }
}

void assign(std::span<AccessSample> samples, const RegionInstance& region, TaskIndex& index) {
  if (!index.named()) return;
  for (AccessSample& sample : samples) {
    if (sample.lane.value >= region.lanes) continue;
    const LaneTasks& lane = region.states.find(sample.lane.value)->tasks;
    const TaskNumber task = lane.any() ? lane.at(sample.time) : 0;
    sample.lane = LaneId(task == 0 ? index.of_lane(sample.lane.value) : index.of_task(task));
  }
}

void RegionRun::add(const RegionInstance& region, std::span<const TaskRun> tasks) {
  ++executions;
  for (const TaskRun& task : tasks) {
    const std::size_t number = task.number.value;
    if (lanes.size() <= number) lanes.resize(number + 1);
    lanes[number].time += task.did.work;
    lanes[number].events += task.did.events;
    if (!task.lane) continue;
    LaneState& state = *region.states.find(task.lane->lane.value);
    state.notes.move_to(lanes[number].notes);
    if (region.counted) add_blocks(lanes[number].blocks, state.blocks);
  }
}

void RegionRun::add_samples(Nanoseconds spent, std::size_t first) {
  time += spent;
  if (executions <= sampled_executions)
    sampled_time += spent;
  else
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end());
}

}  // namespace lbhm
