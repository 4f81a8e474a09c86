// What a machine is: its tiers and their figures. Part of the machine contract (machine.h).
#pragma once

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

}  // namespace lbhm
