// What the files of this folder share: one maker a policy, and the usual orders of tiers.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::policies {

std::unique_ptr<Policy> make_slow_only(const PolicyOptions& options);
std::unique_ptr<Policy> make_fast_only(const PolicyOptions& options);
std::unique_ptr<Policy> make_first_touch(const PolicyOptions& options);
std::unique_ptr<Policy> make_lbhm(const PolicyOptions& options);
std::unique_ptr<Policy> make_merchandiser(const PolicyOptions& options);
std::unique_ptr<Policy> make_scatter(const PolicyOptions& options);
std::unique_ptr<Policy> make_memory_mode(const PolicyOptions& options);
std::unique_ptr<Policy> make_memory_optimizer(const PolicyOptions& options);
std::unique_ptr<Policy> make_tpp(const PolicyOptions& options);
std::unique_ptr<Policy> make_oracle(const PolicyOptions& options);
std::unique_ptr<Policy> make_memtis(const PolicyOptions& options);
std::unique_ptr<Policy> make_colloid(const PolicyOptions& options);
std::unique_ptr<Policy> make_soar(const PolicyOptions& options);
std::unique_ptr<Policy> make_sparta(const PolicyOptions& options);
std::unique_ptr<Policy> make_warpx_pm(const PolicyOptions& options);

/// Parts of lbhm that can be left out, to see what they bring.
inline constexpr auto lbhm_parts =
    std::to_array<std::string_view>({"background", "contention", "costs", "followed-pages", "sparse-samples",
                                     "hottest-first", "regions", "corrections", "prediction-error"});

/// All tiers, the fastest first.
inline std::vector<TierId> fastest_first(const Topology& machine) {
  std::vector<TierId> order;
  for (std::size_t tier = 0; tier < machine.tiers.size(); ++tier) order.emplace_back(static_cast<std::uint8_t>(tier));
  return order;
}

/// All tiers, the slowest first.
inline std::vector<TierId> slowest_first(const Topology& machine) {
  const std::vector<TierId> order = fastest_first(machine);
  return {order.rbegin(), order.rend()};
}

}  // namespace lbhm::policies
