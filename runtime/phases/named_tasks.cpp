#include "runtime/phases/named_tasks.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "runtime/phases/region_index.h"

namespace lbhm {
namespace {

struct Names {
  std::mutex mutex;
  std::map<std::string, TaskNumber, std::less<>> numbers;
  std::vector<const std::string*> names;  // by number - 1
  std::unordered_map<const void*, TaskNumber> constructs;
};

/// Never destroyed: lanes may name tasks while the process ends.
Names& all_names() {
  static Names* const names = new Names;
  return *names;
}

}  // namespace

namespace {

/// With the lock.
TaskNumber number_among(Names& all, std::string_view name) {
  if (const auto known = all.numbers.find(name); known != all.numbers.end()) return known->second;
  if (all.names.size() == most_task_names) return 0;
  if (all.names.size() == all.names.capacity()) all.names.reserve(2 * all.names.size() + 16);
  const auto fresh = all.numbers.emplace(name, static_cast<TaskNumber>(all.names.size() + 1)).first;
  all.names.push_back(&fresh->first);
  return fresh->second;
}

}  // namespace

TaskNumber number_of_task(std::string_view name) {
  if (name.empty()) return 0;
  Names& all = all_names();
  const std::lock_guard lock(all.mutex);
  return number_among(all, name);
}

TaskNumber number_of_construct(const void* code) {
  if (!code) return 0;
  Names& all = all_names();
  const std::lock_guard lock(all.mutex);
  if (const auto known = all.constructs.find(code); known != all.constructs.end()) return known->second;
  return all.constructs[code] = number_among(all, code_name(code));
}

std::string name_of_task(TaskNumber number) {
  if (number == 0) return {};
  Names& all = all_names();
  const std::lock_guard lock(all.mutex);
  return *all.names[number - 1];
}

void LaneTasks::clear() {
  parts_.clear();
  switches_.clear();
  places_.clear();
  task_ = 0;
}

bool LaneTasks::close_part(const Reading& now) {
  auto place = places_.find(task_);
  if (place == places_.end()) {
    parts_.emplace_back().task = task_;  // first: without memory for it no place may lead there
    place = places_.emplace(task_, parts_.size() - 1).first;
  }
  const Reading did = difference(now, since_);
  parts_[place->second].did += did;
  since_ = now;
  return did.accesses.empty() || std::ranges::any_of(did.accesses, [](AccessCount count) { return count.value > 0; });
}

void LaneTasks::work_on(TaskNumber task, const Reading& now, const Reading& begin) {
  if (switches_.size() == most_switches) return;
  if (switches_.empty()) since_ = begin;
  const bool accessed = close_part(now);
  task_ = task;
  const std::size_t known = switches_.size();
  if (!accessed && known > 1 && switches_[known - 2].to == task)
    switches_.pop_back();  // as after each of many explicit tasks of one construct: no sample can be of that time
  else
    switches_.push_back({now.time, task});
}

void LaneTasks::rename(TaskNumber task) {
  if (any() && switches_.size() < most_switches) task_ = switches_.back().to = task;
}

void LaneTasks::end(const Reading& now) {
  if (any()) close_part(now);
}

TaskNumber LaneTasks::at(Nanoseconds time) const {
  const auto after = std::ranges::upper_bound(switches_, time, {}, &Switch::time);
  return after == switches_.begin() ? 0 : std::prev(after)->to;
}

std::uint32_t TaskIndex::of_lane(std::uint32_t lane) {
  if (!named()) size_ = lanes_ = std::max(lanes_, lane + 1);
  if (lane < lanes_) return lane;
  const auto [place, fresh] = later_lanes_.try_emplace(lane, size_);
  size_ += fresh ? 1 : 0;
  return place->second;
}

std::uint32_t TaskIndex::of_task(TaskNumber task) {
  const auto [place, fresh] = tasks_.try_emplace(task, size_);
  size_ += fresh ? 1 : 0;
  return place->second;
}

}  // namespace lbhm
