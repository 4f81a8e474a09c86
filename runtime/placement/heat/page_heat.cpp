// Object by object, a sweep over its pages with one cursor for each task that uses it, from border to border of their
// extents. Most objects are used by one task, or by all.
#include "runtime/placement/heat/page_heat.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lbhm::placement {
namespace {

PageIndex end_of(const ExtentEstimate& extent) { return PageIndex(extent.first.value + extent.pages); }

/// Walks over the extents of one task in one object.
class Cursor {
 public:
  Cursor(std::size_t task, const TaskForecast& forecast, std::span<const ExtentEstimate> extents)
      : task_(task), rest_(extents), lines_(forecast.lines_of(slot())), weight_(forecast.weight_of(slot())) {}

  std::size_t task() const { return task_; }
  ObjectSlot slot() const { return rest_.front().slot; }
  double lines() const { return lines_; }
  double weight() const { return weight_; }

  /// The first extent with accesses that ends after `at`, or null.
  const ExtentEstimate* advance(PageIndex at) {
    while (!rest_.empty() && (end_of(rest_.front()) <= at || !(rest_.front().count.value > 0)))
      rest_ = rest_.subspan(1);
    return rest_.empty() ? nullptr : &rest_.front();
  }

 private:
  std::size_t task_;
  std::span<const ExtentEstimate> rest_;
  double lines_, weight_;
};

/// By (slot, task).
std::vector<Cursor> cursors_of(std::span<const TaskForecast> tasks) {
  std::vector<Cursor> cursors;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const std::span<const ExtentEstimate> extents = tasks[task].accesses.extents;
    for (std::size_t begin = 0, end = 0; begin < extents.size(); begin = end) {
      while (end < extents.size() && extents[end].slot == extents[begin].slot) ++end;
      cursors.emplace_back(task, tasks[task], extents.subspan(begin, end - begin));
    }
  }
  std::ranges::sort(cursors, {}, [](const Cursor& c) { return std::pair(c.slot(), c.task()); });
  return cursors;
}

/// The runs of one object; the cursors are of all tasks that use it.
void merge_object(std::span<Cursor> cursors, HeatMap& map) {
  const ObjectSlot slot = cursors.front().slot();
  PageIndex at;
  while (true) {
    HeatRun run{.slot = slot, .first = at, .per_page = {}, .first_user = map.users.size()};
    std::optional<PageIndex> border;  // where the set of users changes next
    for (Cursor& cursor : cursors) {
      const ExtentEstimate* extent = cursor.advance(at);
      if (!extent) continue;
      const bool inside = extent->first <= at;
      const PageIndex next = inside ? end_of(*extent) : extent->first;
      if (!border || next < *border) border = next;
      if (!inside) continue;
      const AccessCount accesses = extent->count / static_cast<double>(extent->pages);
      map.users.push_back({cursor.task(), accesses * cursor.weight(), accesses, accesses * cursor.lines()});
      run.per_page += map.users.back().per_page;
    }
    if (!border) return;
    run.user_count = map.users.size() - run.first_user;
    if (run.user_count > 0) {
      run.pages = border->value - at.value;
      map.runs.push_back(run);
    }
    at = *border;
  }
}

}  // namespace

/// An object's accesses wait for a part of the mean at least: samples may say that it waits for nothing. An assumption.
static constexpr double least_wait = 1.0 / 16;

void weigh_by_waits(TaskForecast& task) {
  task.weights.clear();
  for (const double wait : task.waits) task.weights.push_back(std::max(least_wait, wait));
  double each = 0, weighted = 0;
  for (const ExtentEstimate& extent : task.accesses.extents) {
    each += extent.count.value;
    weighted += extent.count.value * task.weight_of(extent.slot);
  }
  for (double& weight : task.weights) weight *= each / weighted;
}

HeatMap merge_extents(std::span<const TaskForecast> tasks) {
  HeatMap map;
  merge_extents(tasks, map);
  return map;
}

void merge_extents(std::span<const TaskForecast> tasks, HeatMap& map) {
  map.runs.clear();
  map.users.clear();
  std::vector<Cursor> cursors = cursors_of(tasks);
  for (std::size_t begin = 0, end = 0; begin < cursors.size(); begin = end) {
    const ObjectSlot slot = cursors[begin].slot();
    while (end < cursors.size() && cursors[end].slot() == slot) ++end;
    merge_object(std::span(cursors).subspan(begin, end - begin), map);
  }
}

}  // namespace lbhm::placement
