// interleave: weighted interleave, MPOL_WEIGHTED_INTERLEAVE of Linux 6.9, with the weights that Linux 6.16 computes by
// itself from the bandwidths of the memory nodes (mm/mempolicy.c: reduce_interleave_weights, mempolicy_set_node_perf,
// weighted_interleave_nid).
//
// Pages go to the tiers by their addresses: so many to tier 0 as its weight says, then so many to tier 1, and so on,
// and again from tier 0. A page whose tier is full appears in the next one. Nothing moves. What it is for: the
// bandwidths of all tiers add up, where accesses are spread evenly.
//
// Not here: pages of no object (globals, stacks, small blocks of malloc), for which machines know an order of tiers
// alone: they appear in the fastest with room. Addresses count from that of the first object, not from 0, so that runs
// repeat.
#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

constexpr double interleave_weightiness = 32;  // the sum of all weights before they are reduced

/// Assumption: an object has at most so many rounds. In larger ones a weight counts blocks of several pages, because
/// each run of pages is a mapping of the kernel's, of which a process has 65,530 (vm.max_map_count).
constexpr std::uint64_t most_interleave_rounds = 4096;

/// By tier. A node's bandwidth is the lower one of reads and writes; one without a bandwidth, or with less than a 32nd
/// of all, has weight 1.
std::vector<std::uint64_t> interleave_weights(const Topology& machine) {
  std::vector<double> bandwidths;
  bandwidths.reserve(machine.tiers.size());
  for (const Tier& tier : machine.tiers)
    bandwidths.push_back(std::min(tier.read_bandwidth.value, tier.write_bandwidth.value));
  const double sum = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
  std::vector<std::uint64_t> weights;
  std::uint64_t common = 0;
  for (const double bandwidth : bandwidths) {
    const double scaled = sum > 0 ? interleave_weightiness * bandwidth / sum : 0;
    weights.push_back(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(scaled)));
    common = std::gcd(common, weights.back());
  }
  for (std::uint64_t& weight : weights) weight /= std::max<std::uint64_t>(1, common);
  return weights;
}

class Interleave final : public Policy {
 public:
  std::string_view name() const override { return "interleave"; }

  /// Asked once more when the machine is made, before there are objects.
  Needs needs(const Topology& machine) const override {
    weights_ = interleave_weights(machine);
    page_ = machine.page;
    return {.first_touch = fastest_first(machine)};
  }

  MigrationPlan on_object(const NewObject& fresh) override {
    MigrationPlan plan;
    if (weights_.size() < 2) return plan;
    const PlacedObject& object = fresh.object;
    if (origin_ == 0) origin_ = object.address;
    const auto pages = static_cast<std::uint64_t>(object.bytes / page_);
    const std::uint64_t weights = std::max<std::uint64_t>(1, std::reduce(weights_.begin(), weights_.end()));
    const std::uint64_t block = 1 + pages / (weights * most_interleave_rounds);  // pages that a weight counts
    std::uint64_t at = place_in_round(object.address, weights * block);
    for (Bytes done; done < object.bytes;) {
      std::uint64_t end = 0;
      std::size_t tier = 0;
      while ((end += weights_[tier] * block) <= at) ++tier;
      const Bytes run = std::min(page_ * (end - at), object.bytes - done);
      plan.moves.push_back({object.address + done.value, run, TierId(static_cast<std::uint8_t>(tier))});
      done += run;
      at = end % (weights * block);
    }
    return plan;
  }

 private:
  /// In pages.
  std::uint64_t place_in_round(std::uintptr_t address, std::uint64_t round) const {
    const bool before = address < origin_;
    const Bytes distance(before ? origin_ - address : address - origin_);
    const std::uint64_t pages = static_cast<std::uint64_t>(distance / page_) % round;
    return before && pages > 0 ? round - pages : pages;
  }

  mutable std::vector<std::uint64_t> weights_;  // by tier
  mutable Bytes page_;
  std::uintptr_t origin_ = 0;  // of the first object; 0: there was none
};

}  // namespace

std::unique_ptr<Policy> make_interleave(const PolicyOptions&) { return std::make_unique<Interleave>(); }

}  // namespace lbhm::policies
