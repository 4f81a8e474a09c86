#include "emulator/memory/tier_load.h"

#include <algorithm>
#include <cmath>

namespace lbhm::emulator {

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
  for (std::size_t k = 0; k < maximum_tiers; ++k) demand_[k] += demand[k];
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
