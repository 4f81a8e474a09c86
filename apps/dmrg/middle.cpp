#include "apps/dmrg/middle.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dmrg {
namespace {

std::vector<Strip> strips_of(const Bond& bond, const std::vector<Quantum>& states, const Quantum& middle, bool left) {
  std::vector<Strip> strips;
  std::size_t first = 0;
  for (std::size_t sector = 0; sector < bond.size(); ++sector) {
    for (std::size_t state = 0; state < states.size(); ++state) {
      const Quantum& quantum = bond[sector].quantum;
      if ((left ? quantum + states[state] : quantum - states[state]) != middle) continue;
      strips.push_back({sector, state, first, bond[sector].dimension});
      first += bond[sector].dimension;
    }
  }
  return strips;
}

}  // namespace

std::vector<Middle> middles_of(const std::vector<Quantum>& states, const Bond& left, const Bond& right, bool to_right) {
  std::set<Quantum> quanta;
  for (const Sector& sector : left) {
    for (const Quantum& state : states) quanta.insert(sector.quantum + state);
  }
  std::vector<Middle> middles;
  for (const Quantum& quantum : quanta) {
    Middle middle;
    middle.quantum = quantum;
    middle.rows = strips_of(left, states, quantum, true);
    middle.columns = strips_of(right, states, quantum, false);
    if (middle.columns.empty()) continue;
    if (!to_right) std::swap(middle.rows, middle.columns);
    middles.push_back(std::move(middle));
  }
  return middles;
}

double truncate(std::vector<Middle>& middles, const Truncation& truncation) {
  std::vector<std::pair<double, std::size_t>> weights;  // largest first, then by sector
  for (std::size_t i = 0; i < middles.size(); ++i) {
    for (const double s : middles[i].values) weights.emplace_back(-s * s, i);
  }
  std::ranges::sort(weights);
  double discarded = 0;
  std::size_t kept = weights.size();
  while (kept > 1) {
    const double weight = -weights[kept - 1].first;
    const bool small = discarded + weight <= truncation.cutoff && kept > truncation.min_dimension;
    if (kept <= truncation.max_dimension && !small && weight > 0) break;
    discarded += weight;
    --kept;
  }
  for (std::size_t i = 0; i < kept; ++i) ++middles[weights[i].second].kept;
  return discarded;
}

}  // namespace dmrg
