#include "runtime/placement/choose/together.h"

#include <algorithm>
#include <map>

namespace lbhm::choose {
namespace {

/// By phase or task, and tier.
void add(const Savings& part, Savings& unit) {
  for (const auto& [key, worth] : part) {
    auto& sum = unit[key];
    sum.resize(std::max(sum.size(), worth.size()));
    for (std::size_t tier = 0; tier < worth.size(); ++tier) sum[tier] += worth[tier];
  }
}

}  // namespace

Together::Together(const Lives& parts, const std::vector<std::uint64_t>& mark) : parts_(parts) {
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < parts.units.size(); ++i) {
    const auto [found, fresh] = known.try_emplace(mark[i], joined_.units.size());
    if (mark[i] == 0 || fresh) {
      unit_of_.push_back(joined_.units.size());
      joined_.units.push_back(parts.units[i]);
      joined_.born.push_back(parts.born[i]);
      joined_.dies.push_back(parts.dies[i]);
      continue;
    }
    const std::size_t u = found->second;
    unit_of_.push_back(u);
    PhasedUnit& unit = joined_.units[u];
    unit.first = std::min(unit.first, parts.units[i].first);
    unit.last = std::max(unit.last, parts.units[i].last);
    unit.stays = unit.stays || parts.units[i].stays;
    add(parts.units[i].worth, unit.worth);
    add(parts.units[i].saves, unit.saves);
    joined_.born[u] = std::min(joined_.born[u], parts.born[i]);
    joined_.dies[u] = std::max(joined_.dies[u], parts.dies[i]);
  }
  std::vector<std::map<double, std::int64_t>> changes(joined_.units.size());
  for (std::size_t i = 0; i < parts.units.size(); ++i) {
    const auto bytes = static_cast<std::int64_t>(parts.units[i].bytes.value);
    changes[unit_of_[i]][parts.born[i].value] += bytes;
    changes[unit_of_[i]][parts.dies[i].value] -= bytes;
  }
  for (std::size_t u = 0; u < joined_.units.size(); ++u) {
    std::int64_t now = 0, most = static_cast<std::int64_t>(joined_.units[u].bytes.value);
    for (const auto& [time, change] : changes[u]) most = std::max(most, now += change);
    joined_.units[u].bytes = Bytes(static_cast<std::uint64_t>(most));
  }
}

PhasedChoice Together::of_parts(const PhasedChoice& chosen) const {
  PhasedChoice choice{.births = {}, .moves = {}, .exact = chosen.exact};
  for (const std::size_t unit : unit_of_) choice.births.push_back(chosen.births[unit]);
  std::vector<std::vector<std::size_t>> parts(joined_.units.size());
  for (std::size_t i = 0; i < unit_of_.size(); ++i) parts[unit_of_[i]].push_back(i);
  for (const UnitMove& move : chosen.moves)
    for (const std::size_t i : parts[move.unit]) {
      const PhasedUnit& part = parts_.units[i];
      if (part.first >= move.phase)
        choice.births[i] = move.to;
      else if (part.last >= move.phase)
        choice.moves.push_back({move.phase, i, move.from, move.to});
    }
  return choice;
}

}  // namespace lbhm::choose
