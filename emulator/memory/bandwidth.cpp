#include "emulator/memory/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "emulator/base/private_memory.h"

namespace lbhm::emulator {

LineCost line_cost(const Tier& tier) {
  const double bytes = 1 << line_bits;
  return {.read = static_cast<Picoseconds>(std::llround(bytes / tier.read_bandwidth.value * 1e3)),
          .write = static_cast<Picoseconds>(std::llround(bytes / tier.write_bandwidth.value * 1e3))};
}

PageCopy page_copy(const MachineDescription& machine, std::size_t from, std::size_t to) {
  constexpr std::uint64_t lines = 1u << (page_bits - line_bits);
  const double bytes = 1u << page_bits;
  PageCopy copy{.read = lines * line_cost(machine.topology.tiers[from]).read,
                .write = lines * line_cost(machine.topology.tiers[to]).write};
  const Picoseconds thread = to_picoseconds(Nanoseconds(bytes / machine.migration.copy_bandwidth.value));
  copy.time = std::max({copy.read, copy.write, thread});
  return copy;
}

void share_tier(std::span<Picoseconds> demands) {
  PrivateVector<Picoseconds> sorted(demands.begin(), demands.end());
  std::ranges::sort(sorted);
  // served_before[k]: what the k smallest demands add up to.
  PrivateVector<Picoseconds> served_before(sorted.size() + 1, 0);
  for (std::size_t k = 0; k < sorted.size(); ++k) served_before[k + 1] = served_before[k] + sorted[k];
  for (Picoseconds& demand : demands) {
    const auto smaller = static_cast<std::size_t>(std::ranges::lower_bound(sorted, demand) - sorted.begin());
    demand = served_before[smaller] + demand * (sorted.size() - smaller);
  }
}

void serve_tier(std::span<Picoseconds> demands, Picoseconds duration) {
  if (std::accumulate(demands.begin(), demands.end(), Picoseconds{0}) <= duration) {
    std::ranges::fill(demands, 0);
    return;
  }
  PrivateVector<Picoseconds> sorted(demands.begin(), demands.end());
  std::ranges::sort(sorted);
  Picoseconds each = 0;  // what every core has got that asked for so much
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const Picoseconds served = (sorted[k] - each) * (sorted.size() - k);
    if (served > duration) {
      each += duration / (sorted.size() - k);
      break;
    }
    duration -= served;
    each = sorted[k];
  }
  for (Picoseconds& demand : demands) demand -= std::min(demand, each);
}

}  // namespace lbhm::emulator
