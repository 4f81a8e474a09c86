// Algorithm 1 of the paper (section 6): load balance by giving fast memory to the task that would finish last.
//
// Where the algorithm as printed would not end or says nothing:
//   - A step that does not fit is trimmed to the whole pages that are left; then fast memory is used up and it ends.
//   - A task is grown out when no larger share makes it faster: at 100 %, with a flat curve, without accesses, or past
//     the best mix of two memories (the paper's rationale (2), "more DRAM accesses lead to better performance", holds
//     no longer). As printed, the inner loop would not end then (line 16). When the longest task is grown out, either
//     it ends: what is left of fast memory stays free, because nothing could make the region end earlier. Or that task
//     is passed over, and the others go on "until the DRAM space is exhausted", as the text beside the algorithm has
//     it.
//   - Of equally long tasks the one with the lowest lane grows first.
//
// Page selection (section 6 of the paper, "Page migration"): the hottest pages first, but a page only while one of the
// tasks that use it has not reached the goal that the budget gave it.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "runtime/base/kept_by_thread.h"
#include "runtime/placement/heat/page_heat.h"
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
void distribute(std::vector<Growing>& tasks, std::uint64_t free_pages, GrownOut grown_out) {
  ByTime others(tasks);
  while (free_pages > 0) {
    Growing* const longest = others.pop();
    if (!longest) return;
    if (!longest->can_grow()) {
      if (grown_out == GrownOut::ends_it) return;
      continue;
    }
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

using placement::HeatMap;
using placement::HeatRun;
using placement::User;

/// Sums of fractions miss a goal by rounding: what is closer than this to it, or to a whole page, has reached it.
constexpr double tolerance = 1e-9;

/// Accesses that the tasks still want to be fast.
class Goals {
 public:
  Goals(const Budget& budget, std::size_t tasks) : goal_(tasks), tally_(tasks) {
    for (std::size_t i = 0; i < std::min(tasks, budget.tasks.size()); ++i) goal_[i] = budget.tasks[i].fast_accesses;
    for (std::size_t i = 0; i < tasks; ++i) below_ += is_below(i);
  }

  /// Every task has reached its goal.
  bool reached() const { return below_ == 0; }

  /// How many pages, all used alike, may move one after the other before all of their users have reached their goals.
  std::uint64_t pages_wanted(std::span<const User> users, std::uint64_t available) const {
    double most = 0;
    for (const User& user : users) {
      if (!is_below(user.task)) continue;
      most = std::max(most, std::ceil((goal_[user.task] - tally_[user.task]) / user.per_page - tolerance));
    }
    return most < static_cast<double>(available) ? static_cast<std::uint64_t>(most) : available;
  }

  void add(std::span<const User> users, std::uint64_t pages) {
    for (const User& user : users) {
      below_ -= is_below(user.task);
      tally_[user.task] += user.per_page * static_cast<double>(pages);
      below_ += is_below(user.task);
    }
  }

 private:
  bool is_below(std::size_t task) const { return goal_[task] - tally_[task] > goal_[task] * tolerance; }

  std::vector<AccessCount> goal_;
  std::vector<AccessCount> tally_;
  std::size_t below_ = 0;  ///< tasks
};

bool hotter(const HeatRun& a, const HeatRun& b) {
  return std::tie(b.per_page, a.slot, a.first) < std::tie(a.per_page, b.slot, b.first);
}

/// Hands out runs by their numbers, hottest first. A heap: most runs are never asked for.
class Hottest {
 public:
  explicit Hottest(std::span<const HeatRun> runs) {
    heap_.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) heap_.push_back({runs[i].per_page, i});
    std::ranges::make_heap(heap_, colder);
  }
  bool empty() const { return heap_.empty(); }
  std::size_t pop() {
    std::ranges::pop_heap(heap_, colder);
    const std::size_t run = heap_.back().run;
    heap_.pop_back();
    return run;
  }

 private:
  struct Entry {
    AccessCount per_page;
    std::size_t run;  ///< runs are numbered in the order of pages
  };
  static bool colder(const Entry& a, const Entry& b) {
    return a.per_page != b.per_page ? a.per_page < b.per_page : a.run > b.run;
  }
  std::vector<Entry> heap_;
};

/// Leaves of each run the pages that should be in fast memory: none, all, or of the last one of a goal its first ones.
void choose_pages(HeatMap& map, const PhaseForecast& phase, const Budget& budget) {
  Goals goals(budget, phase.tasks.size());
  std::uint64_t room = phase.room.value / phase.page.value;
  std::vector<std::uint64_t> pages(map.runs.size());
  for (Hottest hottest(map.runs); room > 0 && !goals.reached() && !hottest.empty();) {
    const std::size_t i = hottest.pop();
    const HeatRun& run = map.runs[i];
    if (run.slot.value >= phase.objects.size()) continue;
    pages[i] = goals.pages_wanted(map.users_of(run), std::min(run.pages, room));
    if (pages[i] == 0) continue;
    goals.add(map.users_of(run), pages[i]);
    room -= pages[i];
  }
  for (std::size_t i = 0; i < pages.size(); ++i) map.runs[i].pages = pages[i];
}

/// Makes one run of runs that touch, with their mean heat: fewer and longer moves. `runs` are in the order of pages.
std::vector<HeatRun> join_neighbours(std::span<const HeatRun> runs) {
  std::vector<HeatRun> joined;
  for (const HeatRun& run : runs) {
    if (run.pages == 0) continue;
    HeatRun* last = joined.empty() ? nullptr : &joined.back();
    if (!last || last->slot != run.slot || last->first.value + last->pages != run.first.value) {
      joined.push_back(run);
      continue;
    }
    const auto before = static_cast<double>(last->pages), more = static_cast<double>(run.pages);
    last->per_page = (last->per_page * before + run.per_page * more) / (before + more);
    last->pages += run.pages;
  }
  return joined;
}

}  // namespace

Budget merchandiser_budget(std::span<const TaskForecast> tasks, Bytes page, Bytes room, GrownOut grown_out) {
  std::vector<Growing> growing;
  growing.reserve(tasks.size());
  for (const TaskForecast& forecast : tasks) growing.push_back(start(forecast));
  if (page.value > 0) distribute(growing, room.value / page.value, grown_out);

  Budget budget;
  budget.tasks.reserve(growing.size());
  for (const Growing& task : growing) budget.tasks.push_back(budget_of(task, page));
  return budget;
}

MigrationPlan select_pages(const PhaseForecast& phase, const Budget& budget, TierId fast) {
  MigrationPlan plan;
  if (phase.page.value == 0) return plan;
  // Megabytes, for many objects: kept, because fresh pages take longer than what is done with them.
  static thread_local KeptByThread<HeatMap> kept;
  HeatMap& map = *kept;
  placement::merge_extents(phase.tasks, map);
  choose_pages(map, phase, budget);
  std::vector<HeatRun> runs = join_neighbours(map.runs);
  std::sort(runs.begin(), runs.end(), hotter);
  plan.moves.reserve(runs.size());
  for (const HeatRun& run : runs) {
    const std::uintptr_t address = phase.objects[run.slot.value] + run.first.value * phase.page.value;
    plan.moves.push_back({.address = address, .bytes = phase.page * run.pages, .to = fast});
  }
  return plan;
}

}  // namespace lbhm
