#include "apps/dmrg/quantum.h"

#include <algorithm>

namespace dmrg {

std::size_t find_sector(const Bond& bond, const Quantum& quantum) {
  const auto at = std::ranges::lower_bound(bond, quantum, {}, &Sector::quantum);
  return at != bond.end() && at->quantum == quantum ? static_cast<std::size_t>(at - bond.begin()) : none;
}

std::size_t dimension_of(const Bond& bond) {
  std::size_t sum = 0;
  for (const Sector& sector : bond) sum += sector.dimension;
  return sum;
}

}  // namespace dmrg
