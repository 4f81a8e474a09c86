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

double TierLoad::g(double use, double ratio_at_90) {
  constexpr double at_90 = 0.9 / (1 - 0.9);
  const double u = std::min(use, highest_use);
  return 1 + (ratio_at_90 - 1) / at_90 * u / (1 - u);
}

TierLoad::TierLoad(const MachineDescription& machine) : quantum_(machine.quantum) {
  for (std::size_t k = 0; k < maximum_tiers; ++k) {
    ratio_[k] = machine.detail(k).loaded_latency_ratio;
    factor_[k] = 1u << factor_bits;
  }
}

void TierLoad::settled(const Demand& demand, Picoseconds now) {
  for (std::size_t k = 0; k < maximum_tiers; ++k) {
    demand_[k] += demand[k];
    busy_[k].store(busy(k) + demand[k], std::memory_order_relaxed);
  }
  // Quanta that close early, at barriers, are counted together.
  if (now < updated_ + quantum_) return;
  const auto elapsed = static_cast<double>(now - updated_);
  const double old_part = std::pow(1 - weight, elapsed / static_cast<double>(quantum_));
  for (std::size_t k = 0; k < maximum_tiers; ++k) {
    const double use = std::min(static_cast<double>(demand_[k]) / elapsed, 1.0);
    use_[k] = old_part * use_[k] + (1 - old_part) * use;
    const double factor = g(use_[k], ratio_[k]) * (1 << factor_bits);
    factor_[k].store(static_cast<std::uint32_t>(std::lround(factor)), std::memory_order_relaxed);
  }
  demand_.fill(0);
  updated_ = now;
}

}  // namespace lbhm::emulator
