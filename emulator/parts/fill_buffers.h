// What lines wait for on their way to a core: its fill buffers, and the turns in which a cache level hands lines over.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "emulator/base/time.h"
#include "emulator/parts/rows.h"

namespace lbhm::emulator {

/// How many lines can be under way to the first-level cache at one time. A sorted row of times.
class FillBuffers {
 public:
  static constexpr std::uint32_t maximum = 64;

  explicit FillBuffers(std::uint32_t count) : lanes_(count <= 16 ? 16 : count <= 32 ? 32 : maximum) {
    std::fill(std::fill_n(free_at_.begin(), count, 0), free_at_.end(), never);
  }

  /// When the next buffer is free; in the past if one is.
  Picoseconds first_free() const { return free_at_.front(); }

  /// A line is asked for at `ready`, or as soon after that as a buffer is free, and takes `latency` to come. Returns
  /// when it is there. `ready` lies after `now` if the address is not known before. `arrival`: a prefetcher asked for
  /// the line, which reaches the second-level cache then, whether a buffer is free or not.
  [[gnu::always_inline]] Picoseconds take(Picoseconds now, Picoseconds ready, Picoseconds latency,
                                          Picoseconds arrival = 0) {
    if (lanes_ == 16) return take_from<16>(now, ready, latency, arrival);
    if (lanes_ == 32) return take_from<32>(now, ready, latency, arrival);
    return take_from<maximum>(now, ready, latency, arrival);
  }

 private:
  static constexpr std::size_t alignment = 64;
  template <std::uint32_t N>
  using Row = SimdVector<Picoseconds, N>;

  template <std::uint32_t N>
  [[gnu::always_inline]] Picoseconds take_from(Picoseconds now, Picoseconds ready, Picoseconds latency,
                                               Picoseconds arrival) {
    using Aligned [[gnu::aligned(alignment)]] = Row<N>;
    Aligned& row = *reinterpret_cast<Aligned*>(free_at_.data());
    Row<N> times = row;
    const std::uint32_t taken = ready > now ? latest_by<N>(times, ready) : 0;
    const Picoseconds done = std::max(std::max(ready, free_at_[taken]) + latency, arrival);
    replace<N>(times, taken, done);
    row = times;
    return done;
  }

  /// A load that waits for another one needs no buffer before: it takes over the one that comes free just in time, so
  /// that a chain of dependent loads holds one buffer and leaves the others to independent loads.
  template <std::uint32_t N>
  [[gnu::always_inline]] static std::uint32_t latest_by(const Row<N>& times, Picoseconds ready) {
    const auto free = static_cast<std::uint32_t>(std::popcount(bits_of<N>(times <= ready)));
    return std::max(free, 1u) - 1;
  }

  /// The time in this place goes, and `done` comes to where it belongs.
  template <std::uint32_t N>
  [[gnu::always_inline]] static void replace(Row<N>& times, std::uint32_t place, Picoseconds done) {
    Row<N> left = times;
    shift_down<Picoseconds, N>(left, never);
    left = places<Picoseconds, N> < place ? times : left;
    Row<N> behind = left;
    shift_up<Picoseconds, N>(behind, 0);
    times = __builtin_elementwise_min(left, __builtin_elementwise_max(behind, Row<N>{} + done));
  }

  std::uint32_t lanes_;                                          // of the row
  alignas(alignment) std::array<Picoseconds, maximum> free_at_;  // never: behind the last buffer
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
