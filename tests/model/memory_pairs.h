// Memories for the tests of the model.
#pragma once

#include "model/model.h"

namespace lbhm {

/// Slow memory takes twice as long for sequential, four times as long for random accesses, and has a third of the
/// bandwidth.
inline MemoryPair slow_and_fast() {
  return {.fast = TierId(0),
          .slow = TierId(1),
          .sequential_ratio = 2,
          .random_ratio = 4,
          .bandwidth_ratio = 3,
          .fast_sequential = Nanoseconds(80),
          .fast_random = Nanoseconds(100),
          .slow_sequential = Nanoseconds(160),
          .slow_random = Nanoseconds(400)};
}

/// One memory, seen as two tiers.
inline MemoryPair two_alike() {
  return {.fast = TierId(0),
          .slow = TierId(1),
          .fast_sequential = Nanoseconds(80),
          .fast_random = Nanoseconds(100),
          .slow_sequential = Nanoseconds(80),
          .slow_random = Nanoseconds(100)};
}

/// A task of `time` ns that waited `wait_cycles` for the accesses given by tier.
inline TaskProfile task(double time, double wait_cycles, TierShare fast, TierShare slow) {
  TaskProfile profile;
  profile.time = Nanoseconds(time);
  profile.events.memory_wait_cycles = wait_cycles;
  profile.tiers = {fast, slow};
  return profile;
}

inline TierShare accesses(double count, double latency) {
  return {AccessCount(count), Nanoseconds(latency), AccessCount(0)};
}

}  // namespace lbhm
