#include <unwind.h>

#include <algorithm>

#include "runtime/base/event_fields.h"
#include "runtime/phases/phases.h"
#include "runtime/phases/region_index.h"

namespace lbhm {
namespace {

/// Names of a call at most: programs number their inputs without end. Further ones are the kind most like them.
constexpr std::size_t most_named = 64;

/// The function that `site` lies in, and the sites of the objects.
std::string describe(const void* site, std::span<const PhaseObject> objects) {
  // It takes return addresses: one less is looked up.
  void* return_address = const_cast<char*>(static_cast<const char*>(site) + 1);
  const auto function = reinterpret_cast<std::uintptr_t>(_Unwind_FindEnclosingFunction(return_address));
  std::string text = std::to_string(function);
  for (const PhaseObject& object : objects)
    text += '\n' + std::to_string(object.anonymous ? object.address : object.site.value);
  return text;
}

}  // namespace

PhaseTable::Call& PhaseTable::call_at(const void* site, std::span<const PhaseObject> objects) {
  Call*& known = by_site_[site];
  if (known) return *known;
  Call*& same_list = by_list_[describe(site, objects)];
  if (!same_list) same_list = calls_.emplace_back(std::make_unique<Call>()).get();
  known = same_list;
  return *known;
}

Phase* PhaseTable::make(Call& call, const void* site, std::string kind, const InputShape& shape) {
  const auto number = static_cast<std::uint32_t>(phases_.size());
  Phase* const phase = phases_.emplace_back(std::make_unique<Phase>()).get();
  if (const auto like = most_like(call.shapes, shape)) {
    phase->like = call.phases[*like];
    phase->take_slots(*phase->like);
    phase->access_rate = phase->like->access_rate;
  }
  phase->number = number;
  phase->name = code_name(site);
  phase->kind = std::move(kind);
  call.phases.reserve(call.phases.size() + 1);
  call.shapes.push_back(shape);
  call.phases.push_back(phase);
  return phase;
}

Phase& PhaseTable::at(const void* site, std::span<const PhaseObject> objects, std::string_view kind) {
  Call& call = call_at(site, objects);
  const auto known = call.named.find(kind);
  if (known != call.named.end()) return *known->second;
  const InputShape shape(objects);
  if (call.named.size() == most_named && !kind.empty()) return *call.phases[*most_like(call.shapes, shape)];
  if (!kind.empty()) return *(call.named[std::string(kind)] = make(call, site, std::string(kind), shape));
  const std::size_t number = call.kinds.kind_of(shape);
  while (call.found.size() <= number)
    call.found.push_back(make(call, site, number == 0 ? std::string() : std::to_string(number + 1), shape));
  return *call.found[number];
}

void Phase::take_slots(const Phase& other) {
  objects = other.objects;
  slots_ = other.slots_;
}

std::vector<ObjectSlot> Phase::slots_of(std::span<const PhaseObject> list) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::unordered_map<std::uint64_t, std::uint32_t> ranks;
  std::vector<ObjectKey> keys;
  std::vector<std::uint32_t> slots;
  std::vector<bool> taken(objects + list.size());
  for (const PhaseObject& object : list) {
    keys.push_back({object.site, ranks[object.site.value]++});
    const auto known = slots_.find(keys.back());
    slots.push_back(known != slots_.end() && !taken[known->second] ? known->second : none);
    if (slots.back() != none) taken[slots.back()] = true;
  }
  std::vector<ObjectSlot> result;
  for (std::uint32_t position = 0; position < list.size(); ++position) {
    std::uint32_t& slot = slots[position];
    if (slot == none) {
      slot = position < objects && !taken[position] ? position : objects++;
      taken[slot] = true;
      slots_[keys[position]] = slot;
    }
    result.emplace_back(slot);
  }
  return result;
}

namespace {

void add_blocks(std::vector<double>& sums, const BlockCounts& counts) {
  if (sums.size() < counts.size()) sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
}

/// Which lane the others waited for in each stretch. Named tasks are dealt to the lanes anew each time: the region
/// takes its lanes' mean time at least, of which every task is a part.
void add_waits(const RegionInstance& region, std::span<const TaskRun> tasks, std::vector<Nanoseconds>& waited_for) {
  if (std::ranges::any_of(tasks, [](const TaskRun& task) { return task.task != 0; })) {
    for (const TaskRun& task : tasks) waited_for[task.number.value] += task.time * task.on / region.lanes;
    return;
  }
  for (std::size_t stretch = 0;; ++stretch) {
    const LaneState* longest = nullptr;
    for (std::uint32_t number = 0; number < region.lanes; ++number) {
      const LaneState& lane = *region.states.find(number);
      if (stretch < lane.stretches.size() && (!longest || lane.stretches[stretch] > longest->stretches[stretch]))
        longest = &lane;
    }
    if (!longest) return;
    const auto task = std::ranges::find(tasks, longest, &TaskRun::lane);
    waited_for[task->number.value] += longest->stretches[stretch];
  }
}

void add(TaskRun& task, const Reading& did) {
  task.time += did.work;
  task.events += did.events;
  task.accesses.resize(std::max(task.accesses.size(), did.accesses.size()));
  for (std::size_t tier = 0; tier < did.accesses.size(); ++tier) task.accesses[tier] += did.accesses[tier];
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
    task.accesses.clear();
    task = {.number = LaneId(number), .accesses = std::move(task.accesses)};
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
    task.time = lane.busy;
    task.events = lane.events;
    task.accesses = lane.accesses;
  }
  for (std::uint32_t number = 0; named && number < region.lanes; ++number) {
    for (const auto& [name, did] : region.states.find(number)->tasks.parts()) {
      TaskRun& task = list[name == 0 ? index.of_lane(number) : index.of_task(name)];
      task.task = name;
      task.on += name == 0 ? 0 : 1;
      add(task, did);
    }
  }
  list.end();
  for (TaskRun& task : tasks) {
    if (task.on < 2) continue;
    task.time = task.time / task.on;
    task.events = task.events / task.on;
  }
}

void assign(std::span<AccessSample> samples, const RegionInstance& region, TaskIndex& index) {
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
    lanes[number].time += task.time;
    lanes[number].events += task.events;
    if (!task.lane) continue;
    LaneState& state = *region.states.find(task.lane->lane.value);
    state.notes.move_to(lanes[number].notes);
    if (region.counted) add_blocks(lanes[number].blocks, state.blocks);
  }
  waited_for.resize(lanes.size());
  add_waits(region, tasks, waited_for);
}

void RegionRun::add_samples(Nanoseconds spent, std::size_t first) {
  time += spent;
  if (executions <= sampled_executions)
    sampled_time += spent;
  else
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end());
}

}  // namespace lbhm
