// lbhm: ours, the default. Where the paper's policy is weak it does something else (docs/policies.md has the reasons):
//   - the earliest end of every region's last task is searched for, not approached in steps of 5 % (min_max.h);
//   - a task's hottest pages come first, and a shared page is counted once, for all its users (cover.h);
//   - slow memory is one more thing that must be done by then: what all tasks together ask of it (cover.h);
//   - pages move beside the program, never in its way, and only if that gains more than it costs (min_max.h);
//   - the pages of a task are expected to be as hot as in its last instances (Needs::recent_pages), and samples, which
//   cost
//     time, are taken only until predictions are right, and again when a task misses its own by more than 10 %;
//   - as long as nothing is predicted, or predictions miss by more than 30 % of the time, there is no plan: pages that
//     samples of this very instance show to be hot come while it runs, as in MEMTIS (memtis_daemon.h).
#include <algorithm>
#include <atomic>
#include <cmath>

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

/// Prediction error above which predictions are not worth a plan. An assumption; predictions of new inputs are off by
/// less on SpGEMM, PIC and BFS, and by more on DMRG and tensor (docs/results.md). Before the first prediction was seen
/// a little more is assumed: no plan.
constexpr double trusted_error = 0.3, assumed_error = 0.31;

/// Predictions are right when a phase was seen so many times at least, and its last instance missed them by no more
/// than this part of its time.
constexpr std::uint32_t least_instances = 3;
constexpr double tolerated_miss = 0.1;

/// A sample costs about this much: S. Akiyama, T. Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead for Online
/// System-Noise Analysis", ROSS 2017: 200 to 300 ns.
constexpr double sample_ns = 250;
/// What is spent on samples behind the base instance at most, of a task's time: a tenth of what predictions are off. An
/// assumption: less than what better placement gains then.
constexpr double sampling_share = 0.1, least_error = 0.01;

/// What can be left out, to see what it brings (setting without, lbhm_parts).
struct Parts {
  bool background, contention, costs, followed_pages, sparse_samples, hottest_first, regions, corrections,
      prediction_error;

  explicit Parts(const PolicyOptions& options)
      : background(options.with("background")),
        contention(options.with("contention")),
        costs(options.with("costs")),
        followed_pages(options.with("followed-pages")),
        sparse_samples(options.with("sparse-samples")),
        hottest_first(options.with("hottest-first")),
        regions(options.with("regions")),
        corrections(options.with("corrections")),
        prediction_error(options.with("prediction-error")) {}

  /// Of the forecast.
  bool anything_missing() const { return !contention || !regions || !hottest_first; }
};

bool settled(const PhaseHistory& history) {
  return history.instances >= least_instances && history.last_error && *history.last_error <= tolerated_miss &&
         history.prediction_error <= trusted_error;
}

/// Samples cost the program time: none once predictions are right, few while they are nearly so.
AccessCount sparse_period(const PhaseView& phase) {
  const PhaseHistory& history = phase.history;
  if (settled(history)) return AccessCount(0);
  // Without a profile, or without a plan, samples are all that there is.
  if (!history.profiled || (phase.intervals && history.prediction_error > trusted_error)) return phase.sample_period;
  const double error = std::max(history.prediction_error, least_error);
  return std::max(phase.sample_period,
                  AccessCount(std::ceil(history.access_rate * sample_ns / (sampling_share * error))));
}

class Lbhm final : public Policy {
 public:
  explicit Lbhm(const PolicyOptions& options) : parts_(options), hot_(options.pace) {}
  std::string_view name() const override { return "lbhm"; }

  Needs needs(const Topology& machine) const override {
    // Where fast memory answers no faster, it helps those alone who ask for much at once: a plan knows them, heat does
    // not.
    const bool answers_faster =
        !machine.tiers.empty() && machine.tiers.front().latency_random < machine.tiers.back().latency_random;
    return {
        .first_touch = fastest_first(machine),
        .forecast = true,
        .recent_pages = parts_.followed_pages,
        .background = parts_.background,
        .assumed_error = assumed_error,
        .interval = parts_.corrections && answers_faster ? std::optional(placement::daemon_interval) : std::nullopt};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    hot_.pages().born(fresh.object.address);
    return {};
  }

  void on_interval(PolicyContext& context) override {
    const bool awake = hot_.wake_up(context);  // counts always
    if (awake && !planned_) context.migrate(hot_.exchange(context.machine().topology().page));
  }

  Decision on_phase(const PhaseView& phase) override {
    Decision decision;
    const bool known = phase.forecast && !phase.forecast->tasks.empty() && phase.forecast->page.value > 0;
    const bool plan = known && (phase.forecast->prediction_error <= trusted_error || !parts_.prediction_error);
    if (known) decision = decide(*phase.forecast, plan);
    planned_ = plan;
    if (parts_.sparse_samples) decision.sample_period = sparse_period(phase);
    return decision;
  }

 private:
  Decision decide(const ScopeForecast& whole, bool plan) const {
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
    return decision;
  }

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
  std::atomic<bool> planned_{false};  ///< the running phase has a plan
};

}  // namespace

std::unique_ptr<Policy> make_lbhm(const PolicyOptions& options) { return std::make_unique<Lbhm>(options); }

}  // namespace lbhm::policies
