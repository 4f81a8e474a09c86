// A sweep over all pages in the order of (slot, page), with one cursor a task, from border to border of the extents.
#include "runtime/placement/page_heat.h"

#include <algorithm>
#include <compare>
#include <optional>

namespace lbhm::placement {
namespace {

struct Position {
  ObjectSlot slot;
  PageIndex page;
  auto operator<=>(const Position&) const = default;
};

Position begin_of(const ExtentEstimate& extent) { return {extent.slot, extent.first}; }
Position end_of(const ExtentEstimate& extent) { return {extent.slot, PageIndex(extent.first.value + extent.pages)}; }

/// Walks over the extents of one task.
class Cursor {
 public:
  explicit Cursor(std::span<const ExtentEstimate> extents) : rest_(extents) {}

  /// The first extent with accesses that ends after `at`, or null.
  const ExtentEstimate* advance(Position at) {
    while (!rest_.empty() && (end_of(rest_.front()) <= at || !(rest_.front().count.value > 0)))
      rest_ = rest_.subspan(1);
    return rest_.empty() ? nullptr : &rest_.front();
  }

 private:
  std::span<const ExtentEstimate> rest_;
};

}  // namespace

HeatMap merge_extents(std::span<const TaskForecast> tasks) {
  std::vector<Cursor> cursors;
  cursors.reserve(tasks.size());
  for (const TaskForecast& task : tasks) cursors.emplace_back(task.accesses.extents);

  HeatMap map;
  Position at{};
  while (true) {
    HeatRun run{.slot = at.slot, .first = at.page, .per_page = {}, .first_user = map.users.size()};
    std::optional<Position> border;  // where the set of users changes next
    for (std::size_t task = 0; task < cursors.size(); ++task) {
      const ExtentEstimate* extent = cursors[task].advance(at);
      if (!extent) continue;
      const bool inside = begin_of(*extent) <= at;
      const Position next = inside ? end_of(*extent) : begin_of(*extent);
      if (!border || next < *border) border = next;
      if (!inside) continue;
      map.users.push_back({task, extent->count / static_cast<double>(extent->pages)});
      run.per_page += map.users.back().per_page;
    }
    if (!border) return map;
    run.user_count = map.users.size() - run.first_user;
    if (run.user_count > 0) {
      run.pages = border->page.value - at.page.value;
      map.runs.push_back(run);
    }
    at = *border;
  }
}

}  // namespace lbhm::placement
