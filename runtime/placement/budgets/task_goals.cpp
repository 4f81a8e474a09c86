#include "runtime/placement/budgets/task_goals.h"

#include <algorithm>

#include "runtime/placement/heat/page_heat.h"

namespace lbhm::placement {

TaskGoals::TaskGoals(const PhaseForecast& phase, const Budget& budget, std::span<const PlacedObject> objects)
    : page_(phase.page.value) {
  for (const TaskBudget& task : budget.tasks) tasks_.push_back({task.lane, task.fast_accesses, {}});
  for (const PlacedObject& object : objects) objects_.set(object.address, object.address + object.bytes.value, {});
  expect(phase);
}

void TaskGoals::expect(const PhaseForecast& phase) {
  const HeatMap map = merge_extents(phase.tasks);
  for (const HeatRun& run : map.runs) {
    if (run.slot.value >= phase.objects.size()) continue;
    const std::uintptr_t begin = phase.objects[run.slot.value] + run.first.value * page_;
    std::vector<std::uint32_t> tasks;
    for (const User& user : map.users_of(run)) tasks.push_back(static_cast<std::uint32_t>(user.task));
    add(tasks, begin, begin + run.pages * page_);
  }
}

/// A page of two objects is accessed by the tasks of both.
void TaskGoals::add(const std::vector<std::uint32_t>& tasks, std::uintptr_t begin, std::uintptr_t end) {
  RangeMap<std::vector<std::uint32_t>> shared;
  expected_.visit(begin, end, [&](std::uintptr_t from, std::uintptr_t to, std::vector<std::uint32_t> both) {
    both.insert(both.end(), tasks.begin(), tasks.end());
    shared.set(from, to, std::move(both));
  });
  expected_.set(begin, end, tasks);
  for (const auto& [from, part] : shared) expected_.set(from, part.end, part.value);
}

const TaskGoals::Task* TaskGoals::task_of(LaneId lane) const {
  // Tasks are by lane, as a rule each at its own number.
  if (lane.value < tasks_.size() && tasks_[lane.value].lane == lane) return &tasks_[lane.value];
  const auto found = std::ranges::find(tasks_, lane, &Task::lane);
  return found != tasks_.end() ? &*found : nullptr;
}

void TaskGoals::count(std::span<const AccessSample> samples, AccessCount period) {
  for (const AccessSample& sample : samples) {
    const Task* const task = task_of(sample.lane);
    if (!task || !objects_.holds(sample.address)) continue;
    const auto number = static_cast<std::size_t>(task - tasks_.data());
    if (sample.tier == TierId(0)) tasks_[number].fast += period;
    seen_.emplace(sample.address / page_ * page_, static_cast<std::uint32_t>(number));
  }
}

bool TaskGoals::holds_back(std::uintptr_t page) const {
  bool accessed = false;
  for (auto seen = seen_.lower_bound({page, 0}); seen != seen_.end() && seen->first == page; ++seen) {
    if (!reached(seen->second)) return false;
    accessed = true;
  }
  const auto expected = expected_.find(page);
  if (expected == expected_.end()) return accessed;
  return std::ranges::all_of(expected->second.value, [&](std::uint32_t task) { return reached(task); });
}

}  // namespace lbhm::placement
