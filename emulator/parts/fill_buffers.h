// What lines wait for on their way to a core: its fill buffers, and the turns in which a cache level hands lines over.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "emulator/base/time.h"

namespace lbhm::emulator {

/// How many lines can be under way to the first-level cache at one time. A sorted row of times. The host cannot foresee
/// which place a time leaves or takes, so nothing branches on it: every place of the row is computed anew, in whole
/// groups.
class FillBuffers {
 public:
  static constexpr std::uint32_t maximum = 64;

  explicit FillBuffers(std::uint32_t count) : groups_((count + group_size - 1) / group_size) {
    for (Group& group : free_at_) group = Group{} + beyond;
    for (std::uint32_t i = 0; i < count; ++i) free_at_[i / group_size][i % group_size] = 0;
  }

  /// When the next buffer is free; in the past if one is.
  Picoseconds first_free() const { return at(0); }

  /// A line is asked for at `ready`, or as soon after that as a buffer is free, and takes `latency` to come. Returns
  /// when it is there. `ready` lies after `now` if the address is not known before. `arrival`: a prefetcher asked for
  /// the line, which reaches the second-level cache then, whether a buffer is free or not.
  [[gnu::always_inline]] Picoseconds take(Picoseconds now, Picoseconds ready, Picoseconds latency,
                                          Picoseconds arrival = 0) {
    const std::uint32_t taken = ready > now ? latest_by(ready) : 0;
    const Picoseconds done = std::max(std::max(ready, at(taken)) + latency, arrival);
    replace(taken, done);
    return done;
  }

 private:
  using Time [[gnu::may_alias]] = Picoseconds;
  static constexpr std::uint32_t group_size = 8;
  static constexpr Picoseconds beyond = std::numeric_limits<Picoseconds>::max();  // behind the last buffer
  using Group = Picoseconds __attribute__((vector_size(sizeof(Picoseconds) * group_size)));
  using Bits = bool __attribute__((ext_vector_type(group_size)));

  Picoseconds at(std::uint32_t i) const { return reinterpret_cast<const Time*>(free_at_.data())[i]; }

  /// A load that waits for another one needs no buffer before: it takes over the one that comes free just in time, so
  /// that a chain of dependent loads holds one buffer and leaves the others to independent loads.
  [[gnu::always_inline]] std::uint32_t latest_by(Picoseconds ready) const {
    std::uint32_t free = 0;
    for (std::uint32_t g = 0; g < groups_; ++g) {
      const Bits bits = __builtin_convertvector(free_at_[g] <= ready, Bits);
      std::uint8_t mask = 0;
      std::memcpy(&mask, &bits, sizeof(bits));
      free += static_cast<std::uint32_t>(std::popcount(mask));
    }
    return std::max(free, 1u) - 1;
  }

  /// The time in this place goes, and `done` comes to where it belongs.
  [[gnu::always_inline]] void replace(std::uint32_t place, Picoseconds done) {
    Group index = Group{0, 1, 2, 3, 4, 5, 6, 7};
    Group before{};
    Group times = free_at_[0];
    for (std::uint32_t g = 0; g < groups_; ++g, index += group_size) {
      const Group next = free_at_[g + 1];
      const Group moved_up = __builtin_shufflevector(times, next, 1, 2, 3, 4, 5, 6, 7, 8);
      const Group left = index < place ? times : moved_up;
      const Group behind = __builtin_shufflevector(before, left, 7, 8, 9, 10, 11, 12, 13, 14);
      free_at_[g] = __builtin_elementwise_min(left, __builtin_elementwise_max(behind, Group{} + done));
      before = left;
      times = next;
    }
  }

  std::uint32_t groups_;
  std::array<Group, maximum / group_size + 1> free_at_;  // the last group is always empty
};

// A cache level hands over one line after the other. Latencies overlap, but a level can start only one line every so
// many cycles; lines that are asked for faster than that queue up. Intel 64 and IA-32 Optimization Reference Manual,
// "Skylake Server Microarchitecture Cache Recommendations", gives the rates as sustained bytes a cycle.

class LinePort {
 public:
  /// `interval` between two lines; 0: as many as anybody wants.
  explicit LinePort(Picoseconds interval) : interval_(interval) {}

  /// A line is asked for. Returns when its turn comes: `now`, or after the lines before it.
  Picoseconds take(Picoseconds now) {
    const Picoseconds start = std::max(now, free_at_);
    free_at_ = start + interval_;
    return start;
  }

 private:
  Picoseconds interval_;
  Picoseconds free_at_ = 0;
};

}  // namespace lbhm::emulator
