// What the files of this folder share: the usual orders of tiers. Each policy has a maker that policy_table.cpp names.
#pragma once

#include <memory>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::policies {

/// All tiers, the fastest first.
inline std::vector<TierId> fastest_first(const Topology& machine) {
  std::vector<TierId> order;
  order.reserve(machine.tiers.size());
  for (std::size_t tier = 0; tier < machine.tiers.size(); ++tier) order.emplace_back(static_cast<std::uint8_t>(tier));
  return order;
}

/// All tiers, the slowest first.
inline std::vector<TierId> slowest_first(const Topology& machine) {
  const std::vector<TierId> order = fastest_first(machine);
  return {order.rbegin(), order.rend()};
}

/// Without the tiers between the fastest and the slowest.
inline std::vector<TierId> ends_of(const std::vector<TierId>& order) {
  return order.size() < 3 ? order : std::vector{order.front(), order.back()};
}

}  // namespace lbhm::policies
