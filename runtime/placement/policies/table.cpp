// All policies. To add one: a file in this folder, its maker in policies.h, a line here.
#include <algorithm>
#include <array>
#include <ranges>
#include <string>

#include "runtime/placement/policies/policies.h"

namespace lbhm {
namespace {

constexpr std::array table{
    PolicyEntry{"slow-only", "All pages in the slowest memory: the lower reference.", policies::make_slow_only},
    PolicyEntry{"fast-only", "All pages in the fastest memory, as if it had no limit: the upper reference.",
                policies::make_fast_only},
    PolicyEntry{"first-touch", "Fast memory until it is full, then slower memory; nothing moves.",
                policies::make_first_touch},
    PolicyEntry{"lbhm", "The earliest end of the last task: exact, hottest pages first, moves beside the program.",
                policies::make_lbhm, policies::lbhm_parts},
    PolicyEntry{"merchandiser", "Fast memory for the tasks that would finish last: Algorithm 1 of Merchandiser.",
                policies::make_merchandiser},
    PolicyEntry{"scatter", "A share of all pages (LBHM_FAST_SHARE), chosen by chance, in fast memory without limit.",
                policies::make_scatter},
    PolicyEntry{"memory-mode",
                "The hardware keeps fast memory as a cache in front of slow memory: Optane's Memory Mode.",
                policies::make_memory_mode},
    PolicyEntry{"memory-optimizer",
                "Hot pages up, cold pages down, by scans of accessed bits: Intel's MemoryOptimizer.",
                policies::make_memory_optimizer},
    PolicyEntry{"tpp", "Promotion at the second hint fault, demotion of inactive pages: TPP, as in Linux.",
                policies::make_tpp},
    PolicyEntry{"oracle",
                "The optimum of an earlier run with exact counts: what LBHM_PLACEMENT says (lbhm compare --oracle).",
                policies::make_oracle},
    PolicyEntry{"memtis", "Sampled pages, as many of the hottest as fit in fast memory: MEMTIS.",
                policies::make_memtis},
    PolicyEntry{"colloid", "MEMTIS's hot pages, so many that both memories answer equally fast: Colloid.",
                policies::make_colloid},
    PolicyEntry{"soar", "Whole objects by how much they slow the program down, from its first round: SOAR.",
                policies::make_soar},
    PolicyEntry{"sparta", "For tensor and spgemm: hash tables and accumulators first, whole: Sparta.",
                policies::make_sparta},
    PolicyEntry{"warpx-pm", "For pic: fields first, then particles: WarpX-PM.", policies::make_warpx_pm},
};

bool names(std::string_view list, std::string_view part) {
  return std::ranges::any_of(std::views::split(list, ','),
                             [&](auto name) { return std::string_view(name.begin(), name.end()) == part; });
}

/// Errors: invalid_argument for a part that the policy does not have.
Status check_parts(const PolicyEntry& policy, std::string_view without) {
  for (const auto part : std::views::split(without, ',')) {
    const std::string_view name(part.begin(), part.end());
    if (!name.empty() && std::ranges::find(policy.parts, name) == policy.parts.end())
      return {StatusCode::invalid_argument, "LBHM_WITHOUT: policy " + std::string(policy.name) + " has no part '" +
                                                std::string(name) + "' to leave out; docs/policies.md lists them"};
  }
  return {};
}

}  // namespace

bool PolicyOptions::with(std::string_view part) const { return !names(without, part); }

std::span<const PolicyEntry> policy_table() { return table; }

Result<std::unique_ptr<Policy>> make_policy(std::string_view name, const PolicyOptions& options) {
  const auto entry = std::find_if(table.begin(), table.end(), [&](const PolicyEntry& e) { return e.name == name; });
  if (entry != table.end()) {
    if (Status status = check_parts(*entry, options.without); !status.ok()) return std::unexpected(status);
    return entry->make(options);
  }
  std::string known;
  for (const PolicyEntry& e : table) known += (known.empty() ? "" : ", ") + std::string(e.name);
  return failure(StatusCode::not_found,
                 "policy '" + std::string(name) + "' does not exist; choose one of " + known + ".");
}

}  // namespace lbhm
