// What a machine is: its tiers and their figures. Part of the machine contract (machine.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm {

struct Tier {
  std::string name;
  Bytes capacity;                     ///< what we may use of it
  Nanoseconds latency_sequential;     ///< idle, neighbouring lines
  Nanoseconds latency_random;         ///< idle, unrelated lines
  BytesPerNanosecond read_bandwidth;  ///< of all threads together
  BytesPerNanosecond write_bandwidth;
  Bytes granularity{64};  ///< what it moves at once, for one line, too: a power of two
};

struct Topology {
  std::string name;         ///< "optane", "host", ...
  std::string description;  ///< one sentence
  std::vector<Tier> tiers;  ///< fastest first
  Bytes page{4096};
  Bytes line{64};
  double cycles_per_nanosecond = 1;  ///< turns cycle events into time
  std::uint32_t hardware_threads = 1;
  /// 16 hexadecimal digits, others for every machine that behaves otherwise; empty: there is none. A model trained on a
  /// machine is for machines with its fingerprint.
  std::string fingerprint{};
};

// What tiers are good at: where a machine's fastest memory is not the best in everything (HBM). Of tiers that are
// within 5 % of the best the fastest: measured figures differ by as much from one day to the next.

inline TierId highest_bandwidth(const Topology& machine) {
  double most = 0;
  for (const Tier& tier : machine.tiers) most = std::max(most, tier.read_bandwidth.value);
  const auto good = [most](const Tier& tier) { return tier.read_bandwidth.value >= 0.95 * most; };
  return TierId(static_cast<std::uint8_t>(std::ranges::find_if(machine.tiers, good) - machine.tiers.begin()));
}

/// Idle, of unrelated lines. Tiers without a latency are not asked.
inline TierId lowest_latency(const Topology& machine) {
  TierId best{0};
  for (std::size_t tier = 1; tier < machine.tiers.size(); ++tier) {
    const Nanoseconds here = machine.tiers[tier].latency_random;
    const bool faster = here > Nanoseconds(0) && here < machine.tiers[best.value].latency_random * 0.95;
    if (faster) best = TierId(static_cast<std::uint8_t>(tier));
  }
  return best;
}

}  // namespace lbhm
