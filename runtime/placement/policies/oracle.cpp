// oracle: does what a script says. The script is the rounded optimum of a linear program over exact counts of an
// earlier run of the same program (tools/lbhm/oracle*.py, docs/oracle.md): what other policies are measured against.
#include <algorithm>
#include <mutex>

#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class Oracle final : public Policy {
 public:
  std::string_view name() const override { return "oracle"; }
  bool follows_script() const override { return true; }
  void follow(PlacementScript script) override { script_ = std::move(script); }

  /// Without a script pages appear in slow memory.
  std::vector<TierId> first_touch_order(std::size_t tiers) const override {
    return script_ && script_->unmanaged == TierId(0) ? fastest_first(tiers) : slowest_first(tiers);
  }

  MigrationPlan place_new(std::uint64_t number, const PlacedObject& object) override {
    const std::lock_guard lock(mutex_);
    if (!script_) return {};
    const auto known = script_->objects.find(number);
    if (known == script_->objects.end() || known->second != object.bytes) {
      ++strangers_;
      return {};
    }
    addresses_[number] = object.address;
    MigrationPlan plan;
    for (auto run = std::ranges::lower_bound(script_->births, number, {}, &ScriptedRun::object);
         run != script_->births.end() && run->object == number; ++run)
      plan.moves.push_back(move_of(*run, object.address));
    return plan;
  }

  MigrationPlan scope_begins(const ScopeStart& scope) override {
    const std::lock_guard lock(mutex_);
    MigrationPlan plan;
    if (!script_ || !script_->moves.contains(scope.number)) return plan;
    for (const ScriptedRun& run : script_->moves.at(scope.number)) {
      const auto at = addresses_.find(run.object);
      if (at != addresses_.end()) plan.moves.push_back(move_of(run, at->second));
    }
    return plan;
  }

  std::vector<std::string> remarks() const override {
    const std::lock_guard lock(mutex_);
    const std::size_t missing = script_ ? script_->objects.size() - addresses_.size() : 0;
    if (strangers_ == 0 && missing == 0) return {};
    return {"policy oracle: " + std::to_string(strangers_) +
            " objects of this run are not in LBHM_PLACEMENT, or have " + "another size, and " +
            std::to_string(missing) + " of its objects did not appear: it was made for another " +
            "run; make it for this one with lbhm compare --oracle"};
  }

 private:
  PageMove move_of(const ScriptedRun& run, std::uintptr_t address) const {
    return {.address = address + run.first * script_->page.value, .bytes = script_->page * run.pages, .to = run.tier};
  }

  mutable std::mutex mutex_;  // objects appear on any thread
  std::optional<PlacementScript> script_;
  std::map<std::uint64_t, std::uintptr_t> addresses_;
  std::uint64_t strangers_ = 0;
};

}  // namespace

std::unique_ptr<Policy> make_oracle() { return std::make_unique<Oracle>(); }

}  // namespace lbhm::policies
