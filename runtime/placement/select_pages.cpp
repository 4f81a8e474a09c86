// Page selection (section 6 of the paper, "Page migration"): the hottest pages first, but a page only while one of the
// tasks that use it has not reached the goal that the budget gave it.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "lbhm/placement.h"
#include "runtime/placement/page_heat.h"

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
  }

  /// How many pages, all used alike, may move one after the other before all of their users have reached their goals.
  std::uint64_t pages_wanted(std::span<const User> users, std::uint64_t available) const {
    double most = 0;
    for (const User& user : users) {
      const AccessCount missing = goal_[user.task] - tally_[user.task];
      if (!(missing > goal_[user.task] * tolerance)) continue;
      most = std::max(most, std::ceil(missing / user.per_page - tolerance));
    }
    return most < static_cast<double>(available) ? static_cast<std::uint64_t>(most) : available;
  }

  void add(std::span<const User> users, std::uint64_t pages) {
    for (const User& user : users) tally_[user.task] += user.per_page * static_cast<double>(pages);
  }

 private:
  std::vector<AccessCount> goal_;
  std::vector<AccessCount> tally_;
};

bool hotter(const HeatRun& a, const HeatRun& b) {
  return std::tie(b.per_page, a.slot, a.first) < std::tie(a.per_page, b.slot, b.first);
}

bool earlier(const HeatRun& a, const HeatRun& b) { return std::tie(a.slot, a.first) < std::tie(b.slot, b.first); }

/// The runs that should be in fast memory; of the last one of a goal only its first pages.
std::vector<HeatRun> choose(const HeatMap& map, const ScopeForecast& scope, const Budget& budget) {
  std::vector<HeatRun> runs = map.runs;
  std::sort(runs.begin(), runs.end(), hotter);
  Goals goals(budget, scope.tasks.size());
  std::uint64_t room = scope.fast_capacity.value / scope.page.value;
  std::vector<HeatRun> chosen;
  for (HeatRun& run : runs) {
    if (room == 0) break;
    if (run.slot.value >= scope.objects.size()) continue;
    run.pages = goals.pages_wanted(map.users_of(run), std::min(run.pages, room));
    if (run.pages == 0) continue;
    goals.add(map.users_of(run), run.pages);
    room -= run.pages;
    chosen.push_back(run);
  }
  return chosen;
}

/// Makes one run of runs that touch, with their mean heat: fewer and longer moves.
std::vector<HeatRun> join_neighbours(std::vector<HeatRun> runs) {
  std::sort(runs.begin(), runs.end(), earlier);
  std::vector<HeatRun> joined;
  for (const HeatRun& run : runs) {
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
  std::vector<HeatRun> runs = join_neighbours(choose(placement::merge_extents(scope.tasks), scope, budget));
  std::sort(runs.begin(), runs.end(), hotter);
  plan.moves.reserve(runs.size());
  for (const HeatRun& run : runs) {
    const std::uintptr_t address = scope.objects[run.slot.value] + run.first.value * scope.page.value;
    plan.moves.push_back({.address = address, .bytes = scope.page * run.pages, .to = fast});
  }
  return plan;
}

}  // namespace lbhm
