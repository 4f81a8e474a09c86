// What the caches and the memory are like. Every function measures once.
#pragma once

#include <cstddef>
#include <span>

#include "bench/measure/kernels/lines.h"

namespace measure {

/// Nanoseconds of a step of a chase. `lines` are linked (kernels/chase.h); it goes on where it stopped the last time,
/// so that a cycle larger than the caches never meets a line that it has left there.
class Walk {
 public:
  explicit Walk(std::span<const Line> lines) : at_(lines.data()) {}
  double step_ns(std::size_t steps);

 private:
  const Line* at_;
};

/// Brings the lines into the caches, if they have room there.
void read_all(std::span<const Line> lines);

/// Nanoseconds of a step through one line of each of `count` pages of 4 KiB, over and over.
double page_step_ns(const Lines& memory, std::size_t count);

/// Nanoseconds between two lines of independent loads, each from a line that the loads before have left longest ago:
/// how fast the cache level that holds `lines` hands lines over. Their number is a power of two.
double line_pace_ns(std::span<const Line> lines, std::size_t loads);

/// How many misses one core has under way: as many independent chases as fit into a window, against one alone.
double misses_under_way(std::span<const Line> lines);

/// Latency at 90 % of the bandwidth over idle latency. One thread follows a chase through `lines`, the others read
/// `stream`; from the ratio r at their use u of `bandwidth` (GB/s, of all threads) follows 1 + 9 (r - 1) (1 - u) / u,
/// the form 1 + a u / (1 - u) that the emulated machine has. nan with one thread only.
double loaded_latency_ratio(std::span<const Line> lines, std::span<const Words> stream, double bandwidth);

}  // namespace measure
