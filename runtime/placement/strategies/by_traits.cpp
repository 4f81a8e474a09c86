// traits: where the fastest memory would come first, that one comes first which is the fastest for this object by its
// sensitivity; the objects of a group begin where the first one of them did.
#include <map>

#include "runtime/placement/strategies/strategies.h"

namespace lbhm::strategies {
namespace {

class Traits final : public AllocationStrategy {
 public:
  TierId begin(const Object& object, Bytes mapped, TierId pages_begin, MachineMemory& machine) override {
    const Topology& topology = machine.topology();
    const bool fastest_first = pages_begin == TierId(0);
    TierId tier = no_tier;
    if (fastest_first && object.sensitivity == Sensitivity::latency) tier = lowest_latency(topology);
    if (fastest_first && object.sensitivity == Sensitivity::bandwidth) tier = highest_bandwidth(topology);
    if (!object.group) return tier;
    if (const auto known = groups_.find(*object.group); known != groups_.end()) return known->second;
    if (object.begins_in != no_tier) tier = object.begins_in;
    if (tier == no_tier) tier = pages_begin;
    const TierId slowest(static_cast<std::uint8_t>(topology.tiers.size() - 1));
    while (tier < slowest && machine.room(tier) < mapped) ++tier.value;
    return groups_[*object.group] = tier;
  }

 private:
  std::map<std::uint32_t, TierId> groups_;  // where their first objects began
};

}  // namespace

std::unique_ptr<AllocationStrategy> make_traits() { return std::make_unique<Traits>(); }

}  // namespace lbhm::strategies
