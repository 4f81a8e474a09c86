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
    OneTier& tier = tiers_[k];
    factor_[k] = 1u << factor_bits;
    tier.detail = machine.detail(k);
    if (k >= machine.topology.tiers.size()) continue;
    tier.read_bandwidth = machine.topology.tiers[k].read_bandwidth.value;
    tier.write_bandwidth = machine.topology.tiers[k].write_bandwidth.value;
  }
}

Picoseconds TierLoad::busy_with(std::size_t tier, const Transfers& all) const {
  const OneTier& of = tiers_[tier];
  if (of.detail.curves && all.in_turns() > 0) {
    const Lines lines = of.bytes(all);
    const double bandwidth = of.detail.curves->bandwidth(lines.share());
    return static_cast<Picoseconds>(std::llround((lines.read + lines.written) / bandwidth));
  }
  const auto both = static_cast<double>(std::min(all.read, all.written));
  return all.in_turns() - static_cast<Picoseconds>(of.detail.overlap * both);
}

void TierLoad::settled(const Demand& demand, Picoseconds now) {
  for (std::size_t k = 0; k < maximum_tiers; ++k) {
    const Picoseconds added = busy_with(k, demand[k]);
    tiers_[k].busy += added;
    tiers_[k].transfers += demand[k];
    busy_[k].store(busy(k) + added, std::memory_order_relaxed);
  }
  // Quanta that close early, at barriers, are counted together.
  if (now < updated_ + quantum_) return;
  for (std::size_t k = 0; k < maximum_tiers; ++k) {
    tiers_[k].update(now - updated_, quantum_);
    const double factor = tiers_[k].factor() * (1 << factor_bits);
    factor_[k].store(static_cast<std::uint32_t>(std::lround(factor)), std::memory_order_relaxed);
  }
  updated_ = now;
}

void TierLoad::OneTier::update(Picoseconds elapsed, Picoseconds quantum) {
  const auto duration = static_cast<double>(elapsed);
  const double old_part = std::pow(1 - weight, duration / static_cast<double>(quantum));
  const Picoseconds asked = busy + left;
  const double newest = std::min(static_cast<double>(asked) / duration, 1.0);
  if (detail.curves) left = asked - std::min(asked, elapsed);
  const Lines moved = bytes(transfers);
  lines.read = old_part * lines.read + (1 - old_part) * moved.read / duration;
  lines.written = old_part * lines.written + (1 - old_part) * moved.written / duration;
  use = no_further_than_rest(old_part * use + (1 - old_part) * newest, newest);
  busy = 0;
  transfers = {};
}

double TierLoad::OneTier::no_further_than_rest(double next, double newest) const {
  if (!detail.curves) return next;
  const double reads = lines.share();
  const double idle_use = newest * detail.curves->latency(use, reads);
  const double asked = next * detail.curves->latency(next, reads);
  const bool beyond = next > use ? asked > idle_use : asked < idle_use;
  return beyond ? detail.curves->at_rest(idle_use, reads) : next;
}

double TierLoad::OneTier::factor() const {
  return detail.curves ? detail.curves->latency(use, lines.share()) : g(use, detail.loaded_latency_ratio);
}

}  // namespace lbhm::emulator
