// lbhm: ours, the default. Where the paper's policy is weak it does something else (docs/policies.md has the reasons):
//   - the earliest end of every region's last task is searched for, not approached in steps of 5 % (min_max.h);
//   - accesses count by what they wait for: a stream that is prefetched for little, a chain of loads for much
//     (lbhm_plan.cpp);
//   - a task's hottest pages come first, and a shared page is counted once, for all its users (cover.h);
//   - slow memory is one more thing that must be done by then: what all tasks together ask of it (cover.h);
//   - pages move beside the program, never in its way, and only if that gains more than it costs (min_max.h);
//   - the pages of a task are expected to be as hot as in its last instances (Needs::recent_pages), and samples, which
//     cost time, are taken only until predictions are right, and again when a task misses its own by more than 10 %;
//   - as long as nothing is predicted, or predictions miss by more than 30 % of the time, there is no plan: pages that
//     samples of this very instance show to be hot come while it runs, as in MEMTIS (memtis_daemon.h), but for pages
//     of which less is expected (expected_heat.h).
//     They wait while a plan is near and tasks do not come back to their pages (reuse.h), and begin with few
//     (caution.h);
//   - a plan that made a phase slower is taken back (best_layout.h);
//   - with a placement at hand (lbhm run --profile) objects begin where that has them, and it goes on from there;
//   - where all wait for slow memory's bandwidth nothing is planned until a phase begins with new objects (crowding.h):
//     MemoryOptimizer's scans place the pages. So they do where there is no plan and they show on paper that they would
//     have more of the accesses in fast memory (ghost_scans.h).
#include <atomic>
#include <mutex>
#include <utility>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/memtis_daemon.h"
#include "runtime/placement/gains/caution.h"
#include "runtime/placement/gains/crowding.h"
#include "runtime/placement/gains/ghost_scans.h"
#include "runtime/placement/gains/plan_watch.h"
#include "runtime/placement/heat/expected_heat.h"
#include "runtime/placement/heat/sparse_samples.h"
#include "runtime/placement/layouts/best_layout.h"
#include "runtime/placement/layouts/layout.h"
#include "runtime/placement/policies/lbhm_births.h"
#include "runtime/placement/policies/lbhm_parts.h"
#include "runtime/placement/policies/lbhm_plan.h"
#include "runtime/placement/policies/lbhm_trial.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/scans/optimizer_scans.h"

namespace lbhm::policies {
namespace {

using placement::answers_faster, placement::settled, placement::trusted_error;

/// Assumed before the first prediction was seen: no plan.
constexpr double assumed_error = placement::trusted_error + 0.01;

/// Where accesses queue for slow memory for so much of their time, a copy makes all others wait: pages then move by
/// samples only while what moved so far brings this part of all accesses. Assumptions.
constexpr double long_queue = 1.0 / 6, worth_queueing = 0.1;
/// Fast memory that answers no faster helps only accesses that would queue for so much of their time. An assumption.
constexpr double short_queue = 1.0 / 20;

/// The best pace of memory-optimizer (docs/results.md, sweep).
constexpr double scans_pace = 1.0 / 16;

/// Scans whose moves brought nothing look for so many times as long from then on, until they take as long as
/// MemoryOptimizer's own: what is used now says little of what is used later.
constexpr double slower = 2;

/// Decisions may take this part of the time of a phase that waits for them: a plan gains a tenth and more, or nothing.
/// Beside the phase they may take longer, as long as the plan serves a good part of it. Assumptions.
constexpr double deciding_share = 0.05, beside_share = 0.5;

class Lbhm final : public Policy {
  using Sees = placement::MemtisDaemon::Sees;

 public:
  explicit Lbhm(const PolicyOptions& options)
      : parts_(options),
        hot_(options.pace, parts_.middle, parts_.unmanaged ? Sees::all : Sees::objects,
             parts_.exposed_latency ? exposed_cycles : 0),
        usual_pace_(options.pace),
        scans_(scans_pace * options.pace),
        ghost_(scans_pace * options.pace) {
    if (options.script) births_.emplace(*options.script);
  }
  std::string_view name() const override { return "lbhm"; }

  Needs needs(const Topology& machine) const override {
    return {.first_touch = parts_.middle ? fastest_first(machine) : ends_of(fastest_first(machine)),
            .takes_script = true,
            .forecast = true,
            .recent_pages = parts_.followed_pages,
            .background = parts_.background,
            .decides_beside = parts_.background,
            .assumed_error = assumed_error,
            .interval = parts_.corrections && machine.tiers.size() > 1 ? std::optional(placement::daemon_interval)
                                                                       : std::nullopt};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    if (parts_.corrections) hot_.pages().born(fresh.object.address);  // else nobody wakes up to read it
    const std::lock_guard lock(lock_);
    asked_ = born_ = true;
    trial_.forget(fresh.object.address, fresh.object.bytes);
    return births_ && !own_way_ ? births_->birth_of(fresh) : MigrationPlan();
  }

  std::vector<std::string> remarks() const override {
    return births_ ? std::vector{births_->remark()} : std::vector<std::string>();
  }

  void on_interval(PolicyContext& context) override {
    const bool awake = hot_.wake_up(context);  // counts always
    if (awake) watch_crowding(context.machine());
    if (awake && parts_.sparse_samples) sample_sparsely(context);
    if (crowded_ && is_asked()) return let_scans_place(context, awake);
    if (scans_lead(context, awake)) return let_scans_place(context, awake);
    if (!awake) return;
    const std::lock_guard lock(lock_);
    if (planned_ && parts_.catching_up) watch_plan(context);
    if (!planned_ && asked_) correct(context);
  }

  /// Not where phases are too short for what a decision takes.
  bool wants_forecast(const PhaseHistory& history) override {
    if (crowded_) return false;
    const double part = parts_.costs ? history.deciding / history.time : 0;  // NaN, if no region was seen: no
    return part <= (parts_.background ? beside_share : deciding_share);
  }

  /// Predictions are right, so nothing would be decided otherwise.
  bool stands(const PhaseView& phase) override {
    if (!parts_.sparse_samples || !settled(phase.history) || crowded_) return false;
    last_seen_ = phase.number;
    const std::lock_guard lock(lock_);
    planned_ = arrived_ = true;
    plan_watch_.forget();
    return true;
  }

  Decision on_phase(const PhaseView& phase) override {
    phased_ = true;
    Decision decision;
    const bool known = !crowded_ && phase.forecast && !phase.forecast->tasks.empty() && phase.forecast->page.value > 0;
    const bool harmed = parts_.best_layout && slower_than_best(phase) && known;
    const bool plan = harmed || (known && (trusted(phase) || !parts_.prediction_error));
    if (harmed)
      decision = planner_.go_back(*phase.forecast, best_);
    else if (plan)
      decision = planner_.decide(*phase.forecast, most_looks(phase.history));
    else if (known)
      decision = LbhmPlan::without_plan(*phase.forecast);
    const std::lock_guard lock(lock_);
    asked_ = true;
    const bool on = planned_ && goes_on(phase);
    planned_ = plan || on;
    own_way_ = own_way_ || plan;
    arrived_ = on;
    if (plan) planned_for_ = addresses_of(phase);
    if (!on) plan_watch_.expect(known && !harmed ? placement::expected_share(*phase.forecast, decision.budget) : 0);
    plan_watch_.forget();
    std::vector<std::uintptr_t> objects = addresses_of(phase);
    const bool others = objects != begun_with_;
    if (others) trial_.end();                     // others are used from here on, whatever moved before
    if (others && std::exchange(born_, false)) {  // and new ones: whatever queued
      crowded_ = false;
      crowding_is_past_ = true;
    }
    begun_with_ = std::move(objects);
    caution_.phase_begins(phase.history.instances == 0 ? placement::Caution::Near::next
                          : known && !others           ? placement::Caution::Near::now
                                                       : placement::Caution::Near::no);
    count(decision.background, phase.machine.page);
    if (!plan) return decision;
    caution_.planned();
    trial_.end();
    return decision;
  }

  void carried_out() override {
    const std::lock_guard lock(lock_);
    arrived_ = true;
  }

  std::optional<AccessCount> sample_period(const PhaseView& phase) override {
    if (crowded_) return placement::watching_period(phase);
    const std::lock_guard lock(lock_);
    if (!phase.history.profiled) thrift_.begin();
    if (!planned_ && scans_lead_) return placement::watching_period(phase);
    if (!planned_ && phase.found && phase.intervals) return phase.sample_period;
    return parts_.sparse_samples ? std::optional(placement::sparse_period(phase)) : std::nullopt;
  }

 private:
  /// What a decision may look at: a search that goes on for longer serves a phase that is nearly over.
  std::uint64_t most_looks(const PhaseHistory& history) const {
    if (!parts_.costs || !(history.time.value > 0)) return UINT64_MAX;
    return static_cast<std::uint64_t>((parts_.background ? beside_share : deciding_share) * history.time /
                                      Decision::per_look);
  }

  /// There is no new plan because one costs too much: the last one, which has not fallen behind, is as good as
  /// predictions are.
  bool goes_on(const PhaseView& phase) const {
    return !crowded_ && !scans_lead_ && !phase.forecast && phase.history.prediction_error <= trusted_error &&
           addresses_of(phase) == planned_for_;
  }
  static std::vector<std::uintptr_t> addresses_of(const PhaseView& phase) {
    std::vector<std::uintptr_t> addresses;
    for (const PlacedObject& object : phase.objects) addresses.push_back(object.address);
    return addresses;
  }

  /// The first prediction is of what was just measured, if nothing has another size.
  bool trusted(const PhaseView& phase) const {
    if (phase.forecast->prediction_error <= trusted_error) return true;
    return parts_.first_prediction && phase.history.instances == 1 && phase.forecast->sizes_of_base;
  }

  /// From here on pages that are hot now come, if the plan is carried out and brings less than it should.
  void watch_plan(PolicyContext& context) {
    if (!arrived_ || context.waiting().value > 0)
      plan_watch_.forget();
    else if (plan_watch_.falls_behind(hot_.samples()))
      planned_ = false;
  }

  static TierId slowest_of(Machine& machine) {
    return TierId(static_cast<std::uint8_t>(machine.topology().tiers.size() - 1));
  }

  /// Where nothing is planned samples are dense until they say enough.
  void sample_sparsely(PolicyContext& context) {
    const AccessCount now = context.machine().samples()->period();
    if (!(own_period_.value > 0)) own_period_ = now;
    const std::lock_guard lock(lock_);
    if (planned_ || !(now.value > 0) || hot_.samples().empty()) return;
    const bool enough = thrift_.enough(hot_.samples().size(), context.machine());
    if (phased_ && !enough) return;
    const double cost = enough ? placement::SampleThrift::share : placement::watching_share;
    const AccessCount period = placement::watching_period(hot_.samples(), hot_.elapsed(), now, own_period_, cost);
    if (placement::SampleThrift::differ(period, now)) context.sample_every(period);
  }

  void watch_crowding(Machine& machine) {
    if (crowding_is_past_.exchange(false)) crowding_ = {};
    crowding_.wake_up(hot_.samples(), slowest_of(machine), machine.topology().tiers.back().latency_random);
    const bool crowded =
        parts_.congestion && crowding_.crowded() && machine.observer() && answers_faster(machine.topology());
    const std::lock_guard lock(lock_);
    crowded_ = crowded && !(parts_.caution && caution_.patient());
    if (crowded_) planned_ = false;
  }

  /// Whether scans found better pages than those that samples have brought. A plan may do with fewer accesses in fast
  /// memory: those of the tasks that the others wait for.
  bool scans_lead(PolicyContext& context, bool awake) {
    Machine& machine = context.machine();
    if (!parts_.ghost_scans || !is_asked() || !answers_faster(machine.topology())) return false;
    if (!machine.observer() || !machine.observer()->looks_are_free()) return false;
    const std::lock_guard lock(lock_);
    if (planned_) ghost_.end_turn();
    const bool leading = ghost_.lead();
    if (!planned_ && awake) ghost_.wake_up(hot_.samples(), machine.topology().page);
    if (!planned_ && !leading) ghost_.look(context, bits_);
    scans_lead_ = ghost_.lead();
    return leading;
  }

  bool is_asked() {
    const std::lock_guard lock(lock_);
    return asked_;
  }

  /// At every interval, as scans follow each other closely.
  void let_scans_place(PolicyContext& context, bool awake) {
    const std::lock_guard lock(lock_);
    const bool resting = trial_.rests();
    if (awake && !trial_.goes_on(context, hot_.samples(), phased_)) {
      if (!resting) scans_.slow_down(slower, usual_pace_);
      return;
    }
    if (resting || !scans_.scan(context, bits_)) return;
    move(context, scans_.exchange(context.machine(), {}, parts_.middle));
  }

  /// Accesses queue for slow memory so much, or so little, that copies are worth it.
  bool queues_right(const Topology& machine) const {
    if (!answers_faster(machine)) return crowding_.queue() > short_queue;
    return crowding_.queue() <= long_queue || trial_.gain().brings(worth_queueing);
  }

  void correct(PolicyContext& context) {
    Machine& machine = context.machine();
    const Bytes page = machine.topology().page, capacity = machine.topology().tiers[0].capacity;
    if (parts_.caution && caution_.waits(hot_.samples(), capacity, machine.peak_footprint(), page)) return;
    if (!trial_.goes_on(context, hot_.samples(), phased_)) return;
    if (parts_.congestion && !queues_right(machine.topology())) return;
    const std::uint64_t most =
        parts_.caution ? caution_.most_pages(trial_.gain(), capacity.value / page.value) : UINT64_MAX;
    const MigrationPlan plan =
        parts_.shrunk_heat ? placement::exchange_by_expectation(hot_.pages(), page, most,
                                                                placement::TierBelow(machine, TierId(0), parts_.middle))
                           : hot_.exchange(machine, most);
    if (best_.wants_pages()) best_.pages_are(placement::pages_of_objects(context, hot_.pages().fast().addresses()));
    own_way_ = own_way_ || !plan.moves.empty();
    move(context, plan);
  }

  /// Without a plan.
  void move(PolicyContext& context, const MigrationPlan& plan) {
    const Bytes page = context.machine().topology().page;
    trial_.moving(plan, hot_.pages().fast(), page);
    count(plan, page);
    context.migrate(plan);
  }

  void count(const MigrationPlan& plan, Bytes page) {
    for (const PageMove& move : plan.moves) moved_ += move.bytes / page;
  }

  /// What moved since made the phase slower.
  bool slower_than_best(const PhaseView& phase) {
    const bool follows = phase.number == last_seen_ + 1;
    last_seen_ = phase.number;
    placement::BestLayout::Pages pages{addresses_of(phase), {}};
    if (phase.forecast) {
      const std::span<const PageRange> fast = phase.forecast->placement.in(phase.forecast->fast);
      pages.fast.emplace(fast.begin(), fast.end());
    }
    const std::lock_guard lock(lock_);
    const bool settled =
        moved_ <= placement::BestLayout::settled_part * (phase.machine.tiers[0].capacity / phase.machine.page);
    moved_ = 0;
    return best_.begins(std::move(pages), {.time = phase.history.time,
                                           .accesses = follows ? phase.history.accesses : AccessCount(0),
                                           .settled = settled});
  }

  LbhmParts parts_;
  std::optional<LbhmBirths> births_;
  bool own_way_ = false;  ///< it has moved pages by what it learnt: births are no more than a begin
  LbhmPlan planner_{parts_};
  placement::MemtisDaemon hot_;  // of the interval's thread, as what follows
  placement::Crowding crowding_;
  double usual_pace_;  ///< MemoryOptimizer's own
  placement::OptimizerScans scans_;
  placement::GhostScans ghost_;
  placement::AllBits bits_;
  AccessCount own_period_;                      ///< of samples: the machine's own
  std::atomic<bool> phased_ = false;            ///< a phase has begun
  std::atomic<bool> crowded_ = false;           ///< nothing is planned
  std::atomic<bool> crowding_is_past_ = false;  ///< what queued so far says nothing of what queues now
  std::atomic<bool> scans_lead_ = false;        ///< until there is a plan
  std::uint64_t last_seen_ = 0;                 ///< PhaseView::number; of on_phase alone
  std::mutex lock_;                             ///< guards what follows: phases begin while an interval's function runs
  bool asked_ = false;                       ///< the program has an object, or a phase: else its pages are left alone
  bool born_ = false;                        ///< objects, since a phase began with others
  std::vector<std::uintptr_t> planned_for_;  ///< the objects of the last plan
  std::vector<std::uintptr_t> begun_with_;   ///< the objects of the last phase that began
  bool planned_ = false;                     ///< the running phase has a plan, which has not fallen behind
  bool arrived_ = false;                     ///< the last decision is being carried out, or was
  placement::PlanWatch plan_watch_;          ///< since it began
  placement::BestLayout best_;               ///< pages with which the phase was fastest
  double moved_ = 0;                         ///< pages, since the phase began
  placement::Caution caution_;               ///< of what moves without a plan
  LbhmTrial trial_{parts_.gain};             ///< of what moved without a plan
  placement::SampleThrift thrift_;           ///< of what is sampled without a plan
};

}  // namespace

std::unique_ptr<Policy> make_lbhm(const PolicyOptions& options) { return std::make_unique<Lbhm>(options); }

}  // namespace lbhm::policies
