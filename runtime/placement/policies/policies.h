// What the files of this folder share: one maker a policy, and the usual orders of tiers.
#pragma once

#include <memory>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::policies {

std::unique_ptr<Policy> make_slow_only();
std::unique_ptr<Policy> make_fast_only();
std::unique_ptr<Policy> make_first_touch();
std::unique_ptr<Policy> make_lbhm();
std::unique_ptr<Policy> make_merchandiser();
std::unique_ptr<Policy> make_scatter();
std::unique_ptr<Policy> make_memory_mode();
std::unique_ptr<Policy> make_memory_optimizer();
std::unique_ptr<Policy> make_tpp();
std::unique_ptr<Policy> make_oracle();
std::unique_ptr<Policy> make_memtis();
std::unique_ptr<Policy> make_colloid();
std::unique_ptr<Policy> make_soar();
std::unique_ptr<Policy> make_sparta();
std::unique_ptr<Policy> make_warpx_pm();

/// All tiers, the fastest first.
inline std::vector<TierId> fastest_first(std::size_t tiers) {
  std::vector<TierId> order;
  order.reserve(tiers);
  for (std::size_t tier = 0; tier < tiers; ++tier) order.emplace_back(static_cast<std::uint8_t>(tier));
  return order;
}

/// All tiers, the slowest first.
inline std::vector<TierId> slowest_first(std::size_t tiers) {
  const std::vector<TierId> order = fastest_first(tiers);
  return {order.rbegin(), order.rend()};
}

}  // namespace lbhm::policies
