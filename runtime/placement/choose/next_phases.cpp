// From phase to phase: section III-D4 of H2M.
#include <algorithm>
#include <utility>

#include "runtime/placement/choose/tier_after_tier.h"

namespace lbhm::choose {
namespace {

Nanoseconds page_move(const PhasedProblem& problem, TierId from, std::size_t to) {
  if (from.value >= problem.page_move.size() || to >= problem.page_move[from.value].size()) return {};
  return problem.page_move[from.value][to];
}

/// What a unit is worth from `phase` on, in the phases that the decision looks at.
Unit unit_of(const PhasedProblem& problem, const PhasedUnit& unit, std::uint32_t phase, TierId now) {
  const std::size_t tiers = problem.capacities.size();
  Unit seen{.bytes = unit.bytes, .worth = std::vector<Nanoseconds>(tiers), .born = {}, .dies = {}, .tier = now};
  if (now == no_tier) seen.fixed = unit.begins_in;
  if (now != no_tier && unit.stays) seen.fixed = now;
  const std::uint64_t end = std::uint64_t{phase} + problem.horizon;
  for (auto at = unit.worth.lower_bound(phase); at != unit.worth.end() && at->first < end; ++at)
    for (std::size_t tier = 0; tier < std::min(tiers, at->second.size()); ++tier) seen.worth[tier] += at->second[tier];
  if (now == no_tier) return seen;
  const auto pages = static_cast<double>(pages_of(unit.bytes, problem.page));
  for (std::size_t tier = 0; tier < tiers; ++tier) seen.move.push_back(page_move(problem, now, tier) * pages);
  return seen;
}

}  // namespace

PhasedChoice next_phases(const PhasedProblem& problem) {
  PhasedChoice choice{.births = std::vector(problem.units.size(), no_tier), .moves = {}};
  std::vector<TierId> now(problem.units.size(), no_tier);
  for (std::uint32_t phase = 0; phase < problem.phases; ++phase) {
    Problem next{.units = {}, .capacities = problem.capacities, .page = problem.page};
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < problem.units.size(); ++i) {
      const PhasedUnit& unit = problem.units[i];
      if (unit.last < phase || unit.first >= std::uint64_t{phase} + problem.horizon) continue;
      numbers.push_back(i);
      next.units.push_back(unit_of(problem, unit, phase, now[i]));
    }
    const Choice chosen = optimum(next);
    choice.exact = choice.exact && chosen.exact;
    std::vector<UnitMove> moves;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::size_t i = numbers[k];
      if (problem.units[i].first > phase) continue;  // decided again when it is born
      if (now[i] == no_tier)
        choice.births[i] = chosen.tiers[k];
      else if (now[i] != chosen.tiers[k])
        moves.push_back({phase, i, now[i], chosen.tiers[k]});
      now[i] = chosen.tiers[k];
    }
    std::ranges::sort(moves, {}, [](const UnitMove& move) { return std::pair(-int{move.to.value}, move.unit); });
    choice.moves.insert(choice.moves.end(), moves.begin(), moves.end());
  }
  const TierId slowest(static_cast<std::uint8_t>(problem.capacities.empty() ? 0 : problem.capacities.size() - 1));
  std::ranges::replace(choice.births, no_tier, slowest);
  return choice;
}

}  // namespace lbhm::choose
