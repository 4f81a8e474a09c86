// Page selection (section 6 of the paper, "Page migration"): the hottest pages first, but a page only while one of the
// tasks that use it has not reached the goal that the budget gave it.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "runtime/placement/page_heat.h"
#include "runtime/placement/placement.h"

namespace lbhm {
namespace {

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
void choose(HeatMap& map, const ScopeForecast& scope, const Budget& budget) {
  Goals goals(budget, scope.tasks.size());
  std::uint64_t room = scope.room.value / scope.page.value;
  std::vector<std::uint64_t> pages(map.runs.size());
  for (Hottest hottest(map.runs); room > 0 && !goals.reached() && !hottest.empty();) {
    const std::size_t i = hottest.pop();
    const HeatRun& run = map.runs[i];
    if (run.slot.value >= scope.objects.size()) continue;
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

MigrationPlan select_pages(const ScopeForecast& scope, const Budget& budget, TierId fast) {
  MigrationPlan plan;
  if (scope.page.value == 0) return plan;
  // Megabytes, for many objects: kept, because fresh pages take longer than what is done with them.
  static thread_local HeatMap map;
  placement::merge_extents(scope.tasks, map);
  choose(map, scope, budget);
  std::vector<HeatRun> runs = join_neighbours(map.runs);
  std::sort(runs.begin(), runs.end(), hotter);
  plan.moves.reserve(runs.size());
  for (const HeatRun& run : runs) {
    const std::uintptr_t address = scope.objects[run.slot.value] + run.first.value * scope.page.value;
    plan.moves.push_back({.address = address, .bytes = scope.page * run.pages, .to = fast});
  }
  return plan;
}

}  // namespace lbhm
