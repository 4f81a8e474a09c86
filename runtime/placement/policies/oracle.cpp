// oracle: does what a script says. The script is the rounded optimum of a linear program over exact counts of an
// earlier run of the same program (tools/lbhm/oracle/, docs/oracle.md): what other policies are measured against.
#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

class Oracle final : public Policy {
 public:
  explicit Oracle(const PolicyOptions& options) : script_(options.script) {
    if (!script_) return;
    for (const auto& [number, object] : script_->objects) numbers_.emplace(std::pair(object.site, object.nth), number);
  }
  std::string_view name() const override { return "oracle"; }
  /// Without a script pages appear in slow memory.
  Needs needs(const Topology& machine) const override {
    const bool fast = script_ && script_->unmanaged == TierId(0);
    const bool inner = script_ && !script_->inner_moves.empty();
    return {.first_touch = slowest_first(machine),
            .unmanaged_touch = fast ? fastest_first(machine) : slowest_first(machine),
            .script = true,
            .progress = inner,
            .interval = inner ? std::optional(placement::daemon_interval) : std::nullopt};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    const PlacedObject& object = fresh.object;
    const std::lock_guard lock(mutex_);
    if (!script_) return {};
    const auto known = numbers_.find({fresh.site, fresh.nth});
    if (known == numbers_.end() || script_->objects.at(known->second).bytes != object.bytes) {
      ++unknown_;
      return {};
    }
    const std::uint64_t number = known->second;
    addresses_[number] = object.address;
    MigrationPlan plan;
    for (auto run = std::ranges::lower_bound(script_->births, number, {}, &ScriptedRun::object);
         run != script_->births.end() && run->object == number; ++run)
      plan.moves.push_back(move_of(*run, object.address));
    return plan;
  }

  Decision on_phase(const PhaseView& phase) override {
    const std::lock_guard lock(mutex_);
    call_ = phase.number;
    done_ = {};
    Decision decision;
    if (!script_ || !script_->moves.contains(phase.number)) return decision;
    decision.plan = plan_of(script_->moves.at(phase.number));
    return decision;
  }

  /// Beside the program: what belongs to the barriers that were passed since the last time, in their order.
  void on_interval(PolicyContext& context) override {
    MigrationPlan plan;
    {
      const std::lock_guard lock(mutex_);
      const auto region = context.running();
      if (!script_ || !call_ || !region) return;
      const auto& moves = script_->inner_moves;
      const bool same = done_.number == region->number && done_.barriers <= region->barriers;
      const auto last = moves.upper_bound({*call_, *region});
      for (auto at = moves.upper_bound({*call_, same ? done_ : RunningRegion{region->number, 0}}); at != last; ++at)
        std::ranges::copy(plan_of(at->second).moves, std::back_inserter(plan.moves));
      done_ = *region;
    }
    if (!plan.moves.empty()) context.migrate(plan);
  }

  std::vector<std::string> remarks() const override {
    const std::lock_guard lock(mutex_);
    const std::size_t missing = script_ ? script_->objects.size() - addresses_.size() : 0;
    if (unknown_ == 0 && missing == 0) return {};
    return {"policy oracle: " + std::to_string(unknown_) + " objects of this run are not in LBHM_PLACEMENT, or have " +
            "another size, and " + std::to_string(missing) +
            " of its objects did not appear: it was made for another " +
            "run; make it for this one with lbhm compare --oracle"};
  }

 private:
  MigrationPlan plan_of(const std::vector<ScriptedRun>& runs) const {
    MigrationPlan plan;
    for (const ScriptedRun& run : runs) {
      const auto at = addresses_.find(run.object);
      if (at != addresses_.end()) plan.moves.push_back(move_of(run, at->second));
    }
    return plan;
  }

  PageMove move_of(const ScriptedRun& run, std::uintptr_t address) const {
    return {.address = address + run.first * script_->page.value, .bytes = script_->page * run.pages, .to = run.tier};
  }

  mutable std::mutex mutex_;  // objects appear on any thread
  std::optional<PlacementScript> script_;
  std::map<std::pair<SiteId, std::uint64_t>, std::uint64_t> numbers_;  // by site and nth
  std::map<std::uint64_t, std::uintptr_t> addresses_;                  // by number
  std::uint64_t unknown_ = 0;
  std::optional<std::uint64_t> call_;  // the last one
  RunningRegion done_;                 // after it: what was carried out belongs to points up to here
};

}  // namespace

std::unique_ptr<Policy> make_oracle(const PolicyOptions& options) { return std::make_unique<Oracle>(options); }

}  // namespace lbhm::policies
