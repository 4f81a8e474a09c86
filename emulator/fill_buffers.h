// The fill buffers of a core: how many lines can be under way to its first-level cache at one time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/time.h"

namespace lbhm::emulator {

class FillBuffers {
 public:
  static constexpr std::uint32_t maximum = 64;

  explicit FillBuffers(std::uint32_t count) : count_(count) {}

  /// When the next buffer is free; in the past if one is.
  Picoseconds first_free() const { return free_at_[first_]; }

  /// A line is asked for at `ready`, or as soon after that as a buffer is free, and takes `latency` to come. Returns
  /// when it is there. `ready` lies after `now` if the address is not known before. `arrival`: a prefetcher asked for
  /// the line, which reaches the second-level cache then, whether a buffer is free or not.
  Picoseconds take(Picoseconds now, Picoseconds ready, Picoseconds latency, Picoseconds arrival = 0) {
    const Picoseconds free_at = ready > now ? take_latest_by(ready) : take_earliest();
    const Picoseconds done = std::max(std::max(ready, free_at) + latency, arrival);
    put(done);
    return done;
  }

 private:
  Picoseconds& at(std::uint32_t i) { return free_at_[(first_ + i) % maximum]; }

  Picoseconds take_earliest() {
    const Picoseconds earliest = at(0);
    first_ = (first_ + 1) % maximum;
    return earliest;
  }

  /// A load that waits for another one needs no buffer before: it takes over the one that comes free just in time, so
  /// that a chain of dependent loads holds one buffer and leaves the others to independent loads.
  Picoseconds take_latest_by(Picoseconds ready) {
    std::uint32_t i = 0;
    while (i + 1 < count_ && at(i + 1) <= ready) ++i;
    const Picoseconds latest = at(i);
    for (; i > 0; --i) at(i) = at(i - 1);
    first_ = (first_ + 1) % maximum;
    return latest;
  }

  /// The last place is empty. Most lines come in the order in which they were asked for.
  void put(Picoseconds done) {
    std::uint32_t i = count_ - 1;
    for (; i > 0 && at(i - 1) > done; --i) at(i) = at(i - 1);
    at(i) = done;
  }

  std::uint32_t count_;
  std::uint32_t first_ = 0;
  std::array<Picoseconds, maximum> free_at_{};  // a ring, sorted
};

}  // namespace lbhm::emulator
