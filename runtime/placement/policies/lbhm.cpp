// lbhm: ours, the default. Where the paper's policy is weak it does something else (docs/policies.md has the reasons):
//   - the earliest end of the last task is searched for, not approached in steps of 5 % (min_max.h);
//   - a task's hottest pages come first, and a shared page is counted once, for all its users (cover.h);
//   - slow memory is one more thing that must be done by then: what all tasks together ask of it (cover.h);
//   - pages move beside the program, never in its way, and only if that gains more than it costs (min_max.h);
//   - pages of new objects appear where those of their predecessors should have been (births.h);
//   - the pages of a task are expected to be as hot as in its last instances (follows_pages).
#include <mutex>

#include "runtime/placement/births.h"
#include "runtime/placement/cover.h"
#include "runtime/placement/layout.h"
#include "runtime/placement/min_max.h"
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class Lbhm final : public Policy {
 public:
  std::string_view name() const override { return "lbhm"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return fastest_first(tiers); }
  bool uses_forecast() const override { return true; }
  bool moves_in_background() const override { return true; }
  bool follows_pages() const override { return true; }

  MigrationPlan place_new(std::uint64_t, const PlacedObject& object) override {
    const std::lock_guard lock(mutex_);
    return births_.place(object, page_);
  }

  MigrationPlan scope_begins(const ScopeStart& start) override {
    const std::lock_guard lock(mutex_);
    births_.scope_begins(start);
    return {};
  }

  Decision decide(const ScopeForecast& scope) override {
    if (scope.tasks.empty() || scope.page.value == 0) return {};
    static thread_local placement::HeatMap map;  // megabytes, kept: fresh pages take longer than what is done with them
    placement::merge_extents(scope.tasks, map);
    placement::Cover cover(scope, map);
    const placement::Layout layout(scope, map);
    const placement::MinMax best = placement::min_max(scope, cover, layout, scope.page_move);

    Decision decision;
    layout.write(best.pages, decision);
    const std::vector<double> shares = cover.shares_of(best.pages);
    for (std::size_t task = 0; task < shares.size(); ++task)
      decision.budget.tasks.push_back(budget_of(scope.tasks[task], shares[task]));
    const std::lock_guard lock(mutex_);
    page_ = scope.page;
    births_.learn(layout.wanted(best.pages), scope.page);
    return decision;
  }

 private:
  static TaskBudget budget_of(const TaskForecast& task, double share) {
    return {.lane = task.times.lane,
            .fast_share = share,
            .fast_accesses = task.accesses.total * share,
            .fast_bytes = {},
            .predicted = time_at(task.times, share)};
  }

  std::mutex mutex_;  // place_new may come from any thread
  placement::Births births_;
  Bytes page_{4096};
};

}  // namespace

std::unique_ptr<Policy> make_lbhm() { return std::make_unique<Lbhm>(); }

}  // namespace lbhm::policies
