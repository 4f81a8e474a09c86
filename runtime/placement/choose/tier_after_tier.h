// Tier after tier: units that are left over after one tier are chosen among for the next (H2M, section III-D5).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {

inline std::uint64_t pages_of(Bytes bytes, Bytes page) {
  return bytes.value / page.value + (bytes.value % page.value > 0 ? 1 : 0);
}

/// What a unit gains in a tier, less what getting there takes, against the slowest tier.
inline double net_worth(const Unit& unit, std::size_t tier) {
  const auto at = [tier](const std::vector<Nanoseconds>& by_tier) {
    return tier < by_tier.size() ? by_tier[tier].value : 0.0;
  };
  const bool stays = unit.tier == no_tier || unit.tier.value == tier;
  return at(unit.worth) - (stays ? 0 : at(unit.move));
}

/// V: what it gains in a tier against the next one, where it will be otherwise. "A conservative approach."
inline double worth_against_next(const Unit& unit, std::size_t tier) {
  return net_worth(unit, tier) - net_worth(unit, tier + 1);
}

/// Pages of a tier that fixed units leave.
inline std::uint64_t pages_left(const Problem& problem, std::size_t tier) {
  std::uint64_t pages = problem.capacities[tier].value / problem.page.value;
  for (const Unit& unit : problem.units)
    if (unit.fixed.value == tier) pages -= std::min(pages, pages_of(unit.bytes, problem.page));
  return pages;
}

/// `pick(tier, left, exact)`: of the units `left`, by number, those for `tier`.
template <class Pick>
Choice tier_after_tier(const Problem& problem, Pick pick) {
  const std::size_t slowest = problem.capacities.empty() ? 0 : problem.capacities.size() - 1;
  Choice choice{.tiers = std::vector(problem.units.size(), TierId(static_cast<std::uint8_t>(slowest)))};
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < problem.units.size(); ++i)
    if (const TierId fixed = problem.units[i].fixed; fixed == no_tier)
      left.push_back(i);
    else
      choice.tiers[i] = fixed;
  for (std::size_t tier = 0; tier < slowest; ++tier) {
    for (const std::size_t i : pick(tier, left, choice.exact))
      choice.tiers[i] = TierId(static_cast<std::uint8_t>(tier));
    std::erase_if(left, [&](std::size_t i) { return choice.tiers[i].value == tier; });
  }
  return choice;
}

/// The best of these units for `pages` of a tier, by number.
inline std::vector<std::size_t> best_of(const Problem& problem, const std::vector<std::size_t>& units, std::size_t tier,
                                        std::uint64_t pages, bool& exact) {
  std::vector<Item> items;
  for (const std::size_t i : units)
    items.push_back({pages_of(problem.units[i].bytes, problem.page), worth_against_next(problem.units[i], tier)});
  const Packed packed = knapsack(items, pages);
  exact = exact && packed.bound <= packed.value;
  std::vector<std::size_t> taken;
  for (std::size_t k = 0; k < units.size(); ++k)
    if (packed.taken[k]) taken.push_back(units[k]);
  return taken;
}

}  // namespace lbhm::choose
