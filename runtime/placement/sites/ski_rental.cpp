#include "runtime/placement/sites/ski_rental.h"

#include <algorithm>

namespace lbhm::placement {

SkiPrices ski_prices(const Machine& machine) {
  constexpr std::uint64_t many = 1024;  // pages of a move, so that what a call takes is spread over them
  const Topology& topology = machine.topology();
  const std::size_t tiers = topology.tiers.size();
  const bool known =
      std::ranges::all_of(topology.tiers, [](const Tier& tier) { return tier.latency_random.value > 0; });
  SkiPrices prices;
  for (std::size_t from = 0; from < tiers; ++from) {
    prices.read.push_back(known ? topology.tiers[from].latency_random
                                : SkiPrices::extra_read * static_cast<double>(from));
    prices.page_move.emplace_back();
    for (std::size_t to = 0; to < tiers; ++to) {
      const Nanoseconds time = machine.move_time(topology.page * many, TierId(static_cast<std::uint8_t>(from)),
                                                 TierId(static_cast<std::uint8_t>(to))) /
                               static_cast<double>(many);
      const bool unknown = from != to && !(time.value > 0);
      prices.page_move.back().push_back(unknown ? SkiPrices::page_moved : time);
    }
  }
  return prices;
}

SkiCosts ski_costs(std::span<const SitePart> parts, const SkiPrices& prices) {
  SkiCosts costs;
  for (const SitePart& part : parts) {
    if (part.now == part.recommended) continue;
    costs.rental += (prices.read[part.now.value] - prices.read[part.recommended.value]) * part.reads.value;
    costs.purchase += prices.page_move[part.now.value][part.recommended.value] * static_cast<double>(part.pages);
  }
  costs.rental = std::max(costs.rental, Nanoseconds(0));
  return costs;
}

}  // namespace lbhm::placement
