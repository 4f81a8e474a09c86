// lbhm: ours, the default. Where the paper's policy is weak it does something else (docs/policies.md has the reasons):
//   - the earliest end of every region's last task is searched for, not approached in steps of 5 % (min_max.h);
//   - a task's hottest pages come first, and a shared page is counted once, for all its users (cover.h);
//   - slow memory is one more thing that must be done by then: what all tasks together ask of it (cover.h);
//   - pages move beside the program, never in its way, and only if that gains more than it costs (min_max.h);
//   - the pages of a task are expected to be as hot as in its last instances (follows_pages), and samples, which cost
//     time, are taken only until predictions are right, and again when a task misses its own by more than 10 %;
//   - as long as nothing is predicted, or predictions miss by more than 30 % of the time, there is no plan: pages that
//     samples of this very instance show to be hot come while it runs, as in MEMTIS (memtis_daemon.h).
#include <algorithm>
#include <atomic>

#include "runtime/placement/by_lane.h"
#include "runtime/placement/cover.h"
#include "runtime/placement/even_pages.h"
#include "runtime/placement/layout.h"
#include "runtime/placement/memtis_daemon.h"
#include "runtime/placement/min_max.h"
#include "runtime/placement/policies/policies.h"
#include "runtime/placement/scaled.h"

namespace lbhm::policies {
namespace {

/// What can be left out, to see what it brings (setting without).
struct Parts {
  bool background = true, contention = true, costs = true, followed_pages = true, sparse_samples = true,
       hottest_first = true, regions = true, corrections = true, doubt = true;

  /// Of the forecast.
  bool anything_missing() const { return !contention || !regions || !hottest_first; }

  bool* named(std::string_view name) {
    const std::pair<std::string_view, bool*> all[] = {{"background", &background},
                                                      {"contention", &contention},
                                                      {"costs", &costs},
                                                      {"followed-pages", &followed_pages},
                                                      {"sparse-samples", &sparse_samples},
                                                      {"hottest-first", &hottest_first},
                                                      {"regions", &regions},
                                                      {"corrections", &corrections},
                                                      {"doubt", &doubt}};
    const auto found = std::ranges::find(all, name, [](const auto& part) { return part.first; });
    return found == std::end(all) ? nullptr : found->second;
  }
};

class Lbhm final : public Policy {
 public:
  std::string_view name() const override { return "lbhm"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return fastest_first(tiers); }
  bool uses_forecast() const override { return true; }
  bool moves_in_background() const override { return parts_.background; }
  bool follows_pages() const override { return parts_.followed_pages; }
  bool samples_until_settled() const override { return parts_.sparse_samples; }
  void set_pace(double pace) override { hot_.set_pace(pace); }
  bool leave_out(std::string_view name) override {
    bool* const part = parts_.named(name);
    if (part) *part = false;
    return part != nullptr;
  }

  std::optional<Nanoseconds> interval(const Topology& topology) const override {
    // Where fast memory answers no faster, it helps those alone who ask for much at once: a plan knows them, heat does
    // not.
    const bool answers_faster = topology.tiers.front().latency_random < topology.tiers.back().latency_random;
    return parts_.corrections && answers_faster ? std::optional(placement::daemon_interval) : std::nullopt;
  }

  MigrationPlan place_new(std::uint64_t, const PlacedObject& object) override {
    hot_.pages().born(object.address);
    return {};
  }

  MigrationPlan scope_begins(const ScopeStart&) override {
    doubtful_ = true;
    return {};
  }

  void tick(Surroundings& surroundings) override {
    const bool awake = hot_.wake_up(surroundings);  // counts always
    if (awake && doubtful_) surroundings.migrate(hot_.exchange(surroundings.machine().topology().page));
  }

  Decision decide(const ScopeForecast& whole) override {
    if (whole.tasks.empty() || whole.page.value == 0) return {};
    std::optional<ScopeForecast> partial;
    if (parts_.anything_missing()) partial = as_far_as_known(whole);
    const ScopeForecast& scope = partial ? *partial : whole;
    static thread_local placement::HeatMap map;  // megabytes, kept: fresh pages take longer than what is done with them
    placement::merge_extents(scope.tasks, map);
    placement::Cover cover(scope, map);
    const placement::Layout layout(scope, map);
    const Nanoseconds copy_cost = parts_.costs ? scope.page_move : Nanoseconds(0);
    Decision decision;
    std::vector<std::uint64_t> pages(layout.fast().begin(), layout.fast().end());
    const bool plan = whole.doubt <= trusted_doubt || !parts_.doubt;
    if (plan) {
      pages = placement::min_max(scope, cover, layout, copy_cost).pages;
      layout.write(pages, decision);
    }
    if (!parts_.background) std::swap(decision.plan, decision.background);
    const std::vector<double> shares = cover.shares_of(pages);
    for (std::size_t task = 0; task < whole.tasks.size(); ++task)
      decision.budget.tasks.push_back(
          budget_of(whole.tasks[task], shares[parts_.regions ? task : whole.tasks[task].times.lane.value]));
    // Whatever comes to fast memory without a plan, comes while the tasks run: nothing is predicted.
    for (TaskBudget& task : decision.budget.tasks) task.predicted = plan ? task.predicted : Nanoseconds(0);
    doubtful_ = !plan;
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

  /// The forecast without what is left out.
  ScopeForecast as_far_as_known(const ScopeForecast& whole) const {
    ScopeForecast scope = whole;
    if (!parts_.contention) scope.slow_access = Nanoseconds(0);
    if (!parts_.regions) scope.tasks = placement::by_lane(whole);
    if (!parts_.hottest_first) placement::spread_evenly(scope.tasks);
    return scope;
  }

  Parts parts_;
  placement::MemtisDaemon hot_;
  std::atomic<bool> doubtful_{true};  ///< nothing was predicted for the running scope, or predictions are often wrong
};

}  // namespace

std::unique_ptr<Policy> make_lbhm() { return std::make_unique<Lbhm>(); }

}  // namespace lbhm::policies
