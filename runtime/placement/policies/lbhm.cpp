// lbhm: a page is worth what the tasks that wait for it are worth, and moves when that gains more than it costs
// (docs/lbhm.md).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/policies/lbhm_births.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/value/lane_prices.h"
#include "runtime/placement/value/loss_account.h"
#include "runtime/placement/value/page_market.h"
#include "runtime/placement/value/page_values.h"
#include "runtime/placement/value/residents.h"
#include "runtime/placement/value/sample_thrift.h"
#include "runtime/placement/value/sample_worth.h"
#include "runtime/placement/value/task_prices.h"

namespace lbhm::policies {
namespace {

class Lbhm final : public Policy {
 public:
  explicit Lbhm(const PolicyOptions& options) : pace_(options.pace) {
    if (options.script) births_.emplace(*options.script);
  }
  std::string_view name() const override { return "lbhm"; }

  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine),
            .takes_script = true,
            .forecast = true,
            .recent_pages = true,
            .decides_beside = true,
            .assumed_error = wrong,
            .progress = true,
            .interval = machine.tiers.size() > 1 ? std::optional(placement::daemon_interval) : std::nullopt};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    const std::lock_guard lock(lock_);
    return births_ && !moved_ ? births_->birth_of(fresh) : MigrationPlan();
  }

  bool wants_forecast(const PhaseHistory& history) override { return history.deciding / history.time <= most_deciding; }

  bool stands(const PhaseView& phase) override {
    const bool stands = settled(phase.history);
    const std::lock_guard lock(lock_);
    if (stands) begun_.reset();  // its time begins anew
    return stands;
  }

  Decision on_phase(const PhaseView& phase) override {
    Decision decision;
    auto plan = std::make_shared<Plan>();
    if (phase.forecast && !phase.forecast->tasks.empty()) {
      static_cast<placement::PricedPlan&>(*plan) = placement::price_pages(*phase.forecast);
      decision.budget = plan->budget;
      decision.looks = plan->looks;
      plan->time = plan->time * std::max(1.0, phase.forecast->instances);
      plan->trust = trust_in(phase);
    }
    const std::lock_guard lock(lock_);
    next_ = std::move(plan);
    if (!phase.forecast) plan_ = next_;  // what comes is not known
    return decision;
  }

  void carried_out() override {
    const std::lock_guard lock(lock_);
    plan_ = next_;
    begun_.reset();
  }

  std::vector<std::string> remarks() const override {
    const std::lock_guard lock(lock_);
    return births_ ? std::vector{births_->remark()} : std::vector<std::string>();
  }

  std::vector<SiteWorth> worths() const override {
    const std::lock_guard lock(lock_);
    std::vector<SiteWorth> means;
    for (const auto& [site, sums] : worths_)
      if (sums.pages > 0 && !(site == SiteId{}))
        means.push_back({.site = site,
                         .pages = sums.pages / weighed_.value,
                         .fast_pages = sums.fast_pages / weighed_.value,
                         .worth = sums.worth / sums.pages});
    return means;
  }

  void phase_begins(const PhaseView& phase) override {
    phase_began_ = true;
    const std::lock_guard lock(lock_);
    if (!phase.history.profiled) plan_ = std::make_shared<Plan>();  // what comes is not known
  }

  void on_interval(PolicyContext& context) override {
    Machine& machine = context.machine();
    if (!machine.samples()) return;
    const Nanoseconds now = machine.execution().now();
    measure(machine);
    const bool priced = turn_.value > 0 && exchange_ > 0 && std::isfinite(exchange_);
    if (!priced) return;                // one memory, or nobody knows what copies cost
    if (last_.value == 0) last_ = now;  // what was before is nobody's
    if (now - last_ < turn_ * between_looks) return;
    const Nanoseconds elapsed = now - last_;
    last_ = now;
    if (values_.looks() == 0) account_.begin(2 * exchange_ * static_cast<double>(capacity_));
    account_.pass(elapsed);
    const std::uint64_t look = values_.looks() == 0 ? 0 : values_.looks() + 1;
    residents_.follow(context, capacity_, look, values_.window());
    values_.follow(residents_.extents());
    for (const auto& [site, pages] : residents_.births()) values_.born(site, pages);
    take_samples(context, now, elapsed);
    horizon_ = std::max(turn_, lanes_.round_time());
    values_.look(elapsed, horizon_, exchange_ / 2, lanes_.waiting(horizon_));
    explain(elapsed);
    trade(context, now);
    const SampleSource& source = *machine.samples();
    if (const auto period = thrift_.next_period(samples_, source.period(), elapsed, turn_, residents_.count()))
      context.sample_every(*period);
  }

 private:
  struct Plan : placement::PricedPlan {
    double trust = 0;
  };
  // Assumptions, down to the costs. Predictions that miss by no more are right, by more wrong; instances of a phase
  // before it settles; decisions may take so much of their phase; time between two looks, in turns.
  static constexpr double right = 0.1, wrong = 0.3, least_instances = 3, most_deciding = 0.25, between_looks = 0.25;
  /// What a look takes for each of them, measured (bench/run decision).
  static constexpr Nanoseconds per_sample{300}, per_offer{20}, per_object{100};
  static constexpr double most_kept = 1.0 / 8;  ///< of fast memory, for pages that will appear

  /// What the machine costs. Copying all of fast memory once is a turn: nothing can be adapted to quicker.
  void measure(Machine& machine) {
    const Topology& topology = machine.topology();
    const Bytes page = topology.page;
    const TierId slow(static_cast<std::uint8_t>(topology.tiers.size() - 1));
    const Tier& last = topology.tiers.back();
    capacity_ = topology.tiers[0].capacity.value / page.value;
    exchange_ = static_cast<double>(page.value) * (1 / last.read_bandwidth.value + 1 / last.write_bandwidth.value);
    const Nanoseconds copy = machine.move_time(page * 2, slow, TierId(0)) - machine.move_time(page, slow, TierId(0));
    turn_ = copy * static_cast<double>(capacity_) * pace_;
  }

  /// How right predictions were.
  static double trust_in(const PhaseView& phase) {
    if (phase.history.instances == 1 && phase.forecast->sizes_of_base) return 1;  // of what was just measured
    const double error = phase.forecast->prediction_error;
    return std::clamp((wrong - error) / (wrong - right), 0.0, 1.0);
  }

  /// Nothing would be decided otherwise.
  static bool settled(const PhaseHistory& history) {
    return history.instances >= least_instances && history.last_error && *history.last_error <= right &&
           history.prediction_error <= wrong;
  }

  void take_samples(PolicyContext& context, Nanoseconds now, Nanoseconds elapsed) {
    Machine& machine = context.machine();
    samples_.clear();
    context.samples(samples_);
    own_period_ = context.sample_period().value;
    lanes_.look(samples_, context.running(), phase_began_.exchange(false), now, elapsed, turn_);
    const auto use = machine.tier_use();
    worth_.begin(machine.topology(), elapsed,
                 use.empty() ? std::nullopt : std::optional((use.back().busy - busy_) / elapsed));
    worth_.follow(residents_.extents());
    if (!use.empty()) busy_ = use.back().busy;
    for (const AccessSample& each : samples_)
      take(each, residents_.key_of(each.address - each.address % machine.topology().page.value));
  }

  void take(const AccessSample& sample, std::uintptr_t page) {
    const double price = lanes_.price(sample.lane);
    const double worth = worth_.of(sample, own_period_ * sample.weight, values_.object_of(page), price);
    account_.pay(placement::SampleThrift::sample_cost.value * price);
    const placement::Residents::Page* const at = residents_.find(page);
    if (!at) return;
    if (at->away()) account_.realise(at->fast() ? worth : -worth);
    if (at->since > values_.looks())
      values_.add_birth(values_.site_of(page), worth);
    else
      values_.add(page, worth, at->since, sample.lane);
  }

  void explain(Nanoseconds elapsed) {
    const std::lock_guard lock(lock_);
    weighed_ += elapsed;
    for (const placement::PageValues::Extent& extent : residents_.extents()) {
      const double pages = static_cast<double>(extent.pages) * elapsed.value;
      SiteWorth& sums = worths_[extent.site];
      sums.pages += pages, sums.fast_pages += static_cast<double>(extent.fast_pages) * elapsed.value;
      sums.worth += pages * values_.expected(extent.address).mean;
    }
  }

  void trade(PolicyContext& context, Nanoseconds now) {
    std::shared_ptr<const Plan> plan;
    {
      const std::lock_guard lock(lock_);
      plan = plan_;
      if (!begun_) begun_ = now;
    }
    const double trust = plan->time > now - *begun_ ? plan->trust : 0;
    Machine& machine = context.machine();
    const Bytes page = machine.topology().page;
    placement::PageMarket market(values_, residents_, plan->chosen,
                                 {.page = page,
                                  .exchange = exchange_,
                                  .horizon = horizon_,
                                  .trust = trust,
                                  .reserve = static_cast<double>(capacity_) * most_kept,
                                  .account = account_.holds()});
    const MigrationPlan moves = market.trade(machine);
    const Nanoseconds cost = per_sample * static_cast<double>(samples_.size()) +
                             per_offer * static_cast<double>(market.looks()) +
                             per_object * static_cast<double>(residents_.extents().size());
    context.decided(cost);
    account_.pay(context.migrate(moves).moved / page * exchange_ / 2);
    moved_ = moved_ || !moves.moves.empty();
  }

  double pace_;
  // Of the interval's thread.
  placement::Residents residents_;
  placement::PageValues values_;
  placement::LanePrices lanes_;
  placement::SampleWorth worth_;
  placement::SampleThrift thrift_;
  placement::LossAccount account_;
  std::vector<AccessSample> samples_;
  Nanoseconds last_, busy_, turn_, horizon_;
  std::uint64_t capacity_ = 0;  ///< of fast memory, pages
  double exchange_ = 0;         ///< slow memory's time for copies of two pages
  double own_period_ = 0;       ///< of samples of weight 1
  std::atomic<bool> phase_began_ = false, moved_ = false;
  mutable std::mutex lock_;             ///< guards what follows
  std::map<SiteId, SiteWorth> worths_;  ///< sums over `weighed_`
  Nanoseconds weighed_;
  std::shared_ptr<const Plan> plan_ = std::make_shared<Plan>(), next_ = plan_;
  std::optional<Nanoseconds> begun_;  ///< the plan
  std::optional<LbhmBirths> births_;  ///< until pages move
};

}  // namespace

std::unique_ptr<Policy> make_lbhm(const PolicyOptions& options) { return std::make_unique<Lbhm>(options); }

}  // namespace lbhm::policies
