// Forecasts for the tests of placement.
#pragma once

#include <utility>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm {

inline constexpr Bytes test_page{4096};

inline Bytes test_pages(std::uint64_t n) { return test_page * n; }

/// A straight line from slow to fast.
inline TaskTimes straight(std::uint32_t lane, double slow, double fast) {
  TaskTimes times{LaneId(lane), Nanoseconds(slow), Nanoseconds(fast), {}};
  for (std::size_t point = 0; point < TaskTimes::points; ++point) {
    const double r = TaskTimes::share(point);
    times.curve[point] = Nanoseconds(slow + (fast - slow) * r);
  }
  return times;
}

inline ExtentEstimate extent(std::uint32_t slot, std::uint64_t first, std::uint64_t pages, double count) {
  return {ObjectSlot(slot), PageIndex(first), pages, AccessCount(count)};
}

inline TaskForecast forecast(TaskTimes times, std::vector<ExtentEstimate> extents) {
  TaskForecast task{times, {times.lane, {}, std::move(extents)}};
  for (const auto& e : task.accesses.extents) task.accesses.total += e.count;
  return task;
}

/// A task with a straight curve and `pages` equally used pages of an object of its own.
inline TaskForecast private_task(std::uint32_t lane, double slow, double fast, std::uint64_t pages) {
  return forecast(straight(lane, slow, fast), {extent(lane, 0, pages, 10.0 * static_cast<double>(pages))});
}

/// Algorithm 1 with so many pages of fast memory.
inline Budget budget_of(const std::vector<TaskForecast>& tasks, std::uint64_t pages) {
  return merchandiser_budget(tasks, test_page, test_pages(pages));
}

}  // namespace lbhm
