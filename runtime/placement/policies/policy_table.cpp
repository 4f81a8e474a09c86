// All policies, in the order in which they are shown. To add one: a file in this folder with
// `std::unique_ptr<Policy> make_NAME(const PolicyOptions&)`, and a line here.
#include <algorithm>
#include <array>
#include <ranges>
#include <string>

#include "runtime/placement/policies/tier_orders.h"

// clang-format off
#define LBHM_POLICIES(POLICY) \
  POLICY(slow_only, "slow-only", "All pages in the slowest memory: the lower reference.") \
  POLICY(fast_only, "fast-only", "All pages in the fastest memory, as if it had no limit: the upper reference.") \
  POLICY(first_touch, "first-touch", "Fast memory until it is full, then slower memory; nothing moves.") \
  POLICY(lbhm, "lbhm", "A page is worth what the tasks that wait for it are worth, and moves when that gains more than it costs.") \
  POLICY(merchandiser, "merchandiser", "MemoryOptimizer's scans, but only for tasks below their goal of Algorithm 1: Merchandiser.") \
  POLICY(merchandiser_once, "merchandiser-once", "Merchandiser's goals as one plan before the region, no scans.") \
  POLICY(scatter, "scatter", "A share of all pages (LBHM_FAST_SHARE), chosen by chance, in fast memory without limit.") \
  POLICY(interleave, "interleave", "Each object's pages over the tiers in turn, by their bandwidths: Linux's weighted interleave.") \
  POLICY(memory_mode, "memory-mode", "The hardware keeps fast memory as a cache in front of slow memory: Optane's Memory Mode.") \
  POLICY(memory_optimizer, "memory-optimizer", "Hot pages up, cold pages down, by scans of accessed bits: Intel's MemoryOptimizer.") \
  POLICY(tpp, "tpp", "Promotion at the second hint fault, demotion of inactive pages: TPP, as in Linux.") \
  POLICY(alto, "alto", "TPP, but fewer promotions the more the program's loads overlap: ALTO.") \
  POLICY(oracle, "oracle", "The optimum of an earlier run with exact counts: what LBHM_PLACEMENT says (lbhm compare --oracle).") \
  POLICY(memtis, "memtis", "Sampled pages, as many of the hottest as fit in fast memory: MEMTIS.") \
  POLICY(colloid, "colloid", "MEMTIS's hot pages, so many that both memories answer equally fast: Colloid.") \
  POLICY(hybridtier, "hybridtier", "Sampled pages that are frequent or have momentum, by sketches of counters: HybridTier.") \
  POLICY(pact, "pact", "The pages that stall the program most, by bins of their stalls; inactive ones leave: PACT.") \
  POLICY(soar, "soar", "Whole objects by how much they slow the program down, from its first round: SOAR.") \
  POLICY(sparta, "sparta", "For tensor and spgemm: hash tables and accumulators first, whole: Sparta.") \
  POLICY(warpx_pm, "warpx-pm", "For pic: fields first, then particles: WarpX-PM.") \
  POLICY(h2m_fcfs, "h2m-fcfs", "Whole objects in fast memory as they come, by a profile (LBHM_PLACEMENT): H2M's baseline.") \
  POLICY(h2m_initial, "h2m-initial", "The whole objects that gain the most, by a profile: H2M's initial placement.") \
  POLICY(h2m_lifetime, "h2m-lifetime", "The same with the room that objects leave when they are freed: H2M with lifetimes.") \
  POLICY(h2m_phases, "h2m-phases", "Whole objects move from phase to phase where that pays, by a profile: H2M.") \
  POLICY(lbhm_offline, "lbhm-offline", "Whole objects by a profile, so that the last task of each phase ends early.") \
  POLICY(sicm, "sicm", "Whole allocation sites by their samples, once the rent of slow memory exceeds the price of moving: SICM online.") \
  POLICY(sicm_offline, "sicm-offline", "Whole allocation sites by a profile (LBHM_PLACEMENT): SICM's offline guidance.") \
  POLICY(round_robin, "round-robin", "Objects over the tiers in turn: an example (docs/policies.md).")
// clang-format on

namespace lbhm {
namespace policies {

#define LBHM_DECLARE(maker, name, sentence) std::unique_ptr<Policy> make_##maker(const PolicyOptions& options);
LBHM_POLICIES(LBHM_DECLARE)

}  // namespace policies

namespace {

#define LBHM_ENTRY(maker, name, sentence) PolicyEntry{name, sentence, policies::make_##maker},
constexpr std::array table{LBHM_POLICIES(LBHM_ENTRY)};

bool names(std::string_view list, std::string_view part) {
  return std::ranges::any_of(std::views::split(list, ','),
                             [&](auto name) { return std::string_view(name.begin(), name.end()) == part; });
}

/// Errors: invalid_argument for a part that the policy did not ask for.
Status check_parts(std::string_view policy, const PolicyOptions& options) {
  for (const auto part : std::views::split(options.without, ',')) {
    const std::string_view name(part.begin(), part.end());
    if (!name.empty() && std::ranges::find(options.asked, name) == options.asked.end())
      return {StatusCode::invalid_argument, "LBHM_WITHOUT: policy " + std::string(policy) + " has no part '" +
                                                std::string(name) + "' to leave out; docs/policies.md lists them"};
  }
  return {};
}

}  // namespace

bool PolicyOptions::with(std::string_view part) const {
  asked.push_back(part);
  return !names(without, part);
}

std::span<const PolicyEntry> policy_table() { return table; }

Result<std::unique_ptr<Policy>> make_policy(std::string_view name, const PolicyOptions& options) {
  const auto entry = std::find_if(table.begin(), table.end(), [&](const PolicyEntry& e) { return e.name == name; });
  if (entry != table.end()) {
    auto policy = entry->make(options);
    if (Status status = check_parts(name, options); !status.ok()) return std::unexpected(status);
    return policy;
  }
  std::string known;
  for (const PolicyEntry& e : table) known += (known.empty() ? "" : ", ") + std::string(e.name);
  return failure(StatusCode::not_found,
                 "policy '" + std::string(name) + "' does not exist; choose one of " + known + ".");
}

}  // namespace lbhm
