// A machine with a fast and a slow memory, for tests of predictions.
#pragma once

#include "runtime/machine/machine.h"

namespace lbhm {

/// The fast memory answers after 100 ns and delivers 100 bytes/ns; lines side by side come from slow memory after 200.
struct SlowMemory {
  Nanoseconds random;
  BytesPerNanosecond read, write;
};

inline Topology two_tier_machine(double cycles_per_nanosecond, const SlowMemory& slow) {
  Topology t;
  t.cycles_per_nanosecond = cycles_per_nanosecond;
  t.tiers = {{.name = "fast",
              .capacity = MiB(64),
              .latency_sequential = Nanoseconds(100),
              .latency_random = Nanoseconds(100),
              .read_bandwidth = BytesPerNanosecond(100),
              .write_bandwidth = BytesPerNanosecond(100)},
             {.name = "slow",
              .capacity = GiB(1),
              .latency_sequential = Nanoseconds(200),
              .latency_random = slow.random,
              .read_bandwidth = slow.read,
              .write_bandwidth = slow.write}};
  return t;
}

}  // namespace lbhm
