// round-robin: objects over the tiers in turn, whole: the first one to tier 0, the next one to tier 1, and so on, and
// again from tier 0. An object that does not fit into its tier goes to the next one with room. An example of a policy
// (docs/policies.md): what it needs, where new objects appear, and what moves when a phase begins.
#include <map>
#include <mutex>

#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

class RoundRobin final : public Policy {
 public:
  std::string_view name() const override { return "round-robin"; }

  /// Asked before the machine is made, too: it has no tiers then.
  Needs needs(const Topology& machine) const override { return {.first_touch = fastest_first(machine)}; }

  /// Its pages were not touched yet: they appear in its tier, which takes no time.
  MigrationPlan on_object(const NewObject& fresh) override {
    const std::lock_guard lock(mutex_);
    if (tiers_ == 0) return {};  // no phase has begun: the machine is not known, and the object moves at the first
    return {{{.address = fresh.object.address, .bytes = fresh.object.bytes, .to = turn_of(fresh.object.address)}}};
  }

  /// The objects of the phase that are not there yet move to their tiers, before the region starts.
  Decision on_phase(const PhaseView& phase) override {
    const std::lock_guard lock(mutex_);
    tiers_ = phase.machine.tiers.size();
    const std::uint64_t page = phase.machine.page.value;
    Decision decision;
    for (const PlacedObject& object : phase.objects) {
      const Bytes whole((object.bytes.value + page - 1) / page * page);
      decision.plan.moves.push_back(
          {.address = object.address / page * page, .bytes = whole, .to = turn_of(object.address)});
    }
    return decision;
  }

 private:
  TierId turn_of(std::uintptr_t address) {
    const auto [turn, fresh] = turns_.try_emplace(address, TierId(static_cast<std::uint8_t>(next_ % tiers_)));
    next_ += fresh;
    return turn->second;
  }

  std::mutex mutex_;  // objects appear on any thread
  std::size_t tiers_ = 0, next_ = 0;
  std::map<std::uintptr_t, TierId> turns_;  ///< by object; one that took the place of a freed one has its turn
};

}  // namespace

std::unique_ptr<Policy> make_round_robin(const PolicyOptions&) { return std::make_unique<RoundRobin>(); }

}  // namespace lbhm::policies
