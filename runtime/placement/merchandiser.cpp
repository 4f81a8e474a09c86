// Algorithm 1 of the paper (section 6): load balance by giving fast memory to the task that would finish last.
//
// Where the algorithm as printed would not end or says nothing:
//   - A step that does not fit is trimmed to the whole pages that are left; then fast memory is used up and it ends.
//   - A task is grown out when no larger share makes it faster: at 100 %, with a flat curve, without accesses, or past
//     the best mix of two memories (the paper's rationale (2), "more DRAM accesses lead to better performance", holds
//     no longer). When the longest task is grown out, it ends: as printed, its inner loop would not (line 16). What is
//     left of fast memory stays free, because nothing could make the region end earlier, and more for the quicker tasks
//     would only make them wait longer.
//   - Of equally long tasks the one with the lowest lane grows first.
#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/placement/placement.h"

namespace lbhm {
namespace {

/// A task while the algorithm runs. Names in brackets are those of Algorithm 1.
struct Growing {
  const TaskForecast* forecast;
  std::uint64_t pages = 0;       ///< that it accesses
  std::uint64_t fast_pages = 0;  ///< [DC_i]
  std::size_t step = 0;          ///< its share of fast accesses is at least TaskTimes::share(step)
  double share = 0;              ///< [DRAM_Acc_i / Total_Acc_i]
  Nanoseconds time{};            ///< [D'_i]

  bool can_grow() const {
    const auto& curve = forecast->times.curve;
    return pages > 0 && std::any_of(curve.begin() + static_cast<std::ptrdiff_t>(step) + 1, curve.end(),
                                    [&](Nanoseconds later) { return later < time; });
  }
};

Growing start(const TaskForecast& forecast) {
  Growing task{.forecast = &forecast};
  for (const ExtentEstimate& extent : forecast.accesses.extents) {
    if (extent.count.value > 0) task.pages += extent.pages;
  }
  task.time = forecast.times.curve.front();
  return task;
}

/// MAP_TO_PAGES: accesses are taken as spread evenly over the pages of the task.
std::uint64_t map_to_pages(double share, std::uint64_t pages) {
  // A share of 5 % is not exact in binary; without the tolerance 20 pages would give 2 for one step.
  constexpr double tolerance = 1e-9;
  return static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(pages) - tolerance));
}

/// Tasks by time, the longest on top (lines 10 and 11 of Algorithm 1); of equally long ones the first.
class ByTime {
 public:
  explicit ByTime(std::vector<Growing>& tasks) {
    for (Growing& task : tasks) heap_.push_back(&task);
    std::make_heap(heap_.begin(), heap_.end(), shorter);
  }
  /// Null if there are no more.
  Growing* pop() {
    if (heap_.empty()) return nullptr;
    std::pop_heap(heap_.begin(), heap_.end(), shorter);
    Growing* const longest = heap_.back();
    heap_.pop_back();
    return longest;
  }
  void push(Growing* task) {
    heap_.push_back(task);
    std::push_heap(heap_.begin(), heap_.end(), shorter);
  }
  /// Of the tasks that were not taken out.
  Nanoseconds longest_time() const { return heap_.empty() ? Nanoseconds(0) : heap_.front()->time; }

 private:
  static bool shorter(const Growing* a, const Growing* b) { return a->time != b->time ? a->time < b->time : a > b; }
  std::vector<Growing*> heap_;
};

/// One step of 5 %. Returns false if it was trimmed: fast memory is used up.
bool grow(Growing& task, std::uint64_t& free_pages) {
  const double share = TaskTimes::share(task.step + 1);
  const std::uint64_t wanted = map_to_pages(share, task.pages) - task.fast_pages;
  if (wanted > free_pages) {
    task.fast_pages += free_pages;
    free_pages = 0;
    task.share = std::max(task.share, static_cast<double>(task.fast_pages) / static_cast<double>(task.pages));
    task.time = time_at(task.forecast->times, task.share);
    return false;
  }
  free_pages -= wanted;
  task.fast_pages += wanted;
  ++task.step;
  task.share = share;
  task.time = task.forecast->times.curve[task.step];
  return true;
}

/// Lines 9 to 19 of Algorithm 1.
void distribute(std::vector<Growing>& tasks, std::uint64_t free_pages) {
  ByTime others(tasks);
  while (free_pages > 0) {
    Growing* const longest = others.pop();
    if (!longest || !longest->can_grow()) return;
    do {
      if (!grow(*longest, free_pages)) return;
    } while (longest->time > others.longest_time() && longest->can_grow());
    others.push(longest);
  }
}

TaskBudget budget_of(const Growing& task, Bytes page) {
  return {.lane = task.forecast->times.lane,
          .fast_share = task.share,
          .fast_accesses = task.forecast->accesses.total * task.share,
          .fast_bytes = page * task.fast_pages,
          .predicted = task.time};
}

}  // namespace

Budget merchandiser_budget(std::span<const TaskForecast> tasks, Bytes page, Bytes room) {
  std::vector<Growing> growing;
  growing.reserve(tasks.size());
  for (const TaskForecast& forecast : tasks) growing.push_back(start(forecast));
  if (page.value > 0) distribute(growing, room.value / page.value);

  Budget budget;
  budget.tasks.reserve(growing.size());
  for (const Growing& task : growing) budget.tasks.push_back(budget_of(task, page));
  return budget;
}

}  // namespace lbhm
