// A stride prefetcher with one entry an access site, in the manner of Intel's IP-based stride prefetcher.
//
// It says how far ahead a line was asked for; the core turns that into the latency that is left. Lines are not
// brought into the cache model ahead of time: only the time of a miss changes, not its traffic.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/private_memory.h"
#include "emulator/time.h"

namespace lbhm::emulator {

struct PrefetcherShape {
  std::uint32_t distance = 1;        ///< steps that it runs ahead at most; up to maximum_distance
  std::uint32_t maximum_stride = 1;  ///< lines
};

class Prefetcher {
 public:
  static constexpr std::uint32_t maximum_distance = 15;

  struct Prediction {
    bool covered = false;        ///< the line was asked for ahead of time
    bool neighbour = false;      ///< one line from the last miss of this site: sequential latency
    Picoseconds head_start = 0;  ///< how long before now it was asked for
  };

  explicit Prefetcher(PrefetcherShape shape) : shape_(shape), sites_(table_size) {}

  /// A miss of the first-level cache. Lines are counted over the core's own frames: pages that it touched one after the
  /// other are neighbours, and where the system put them in the address space makes no difference.
  Prediction observe(std::uint32_t site, std::uint64_t line, Picoseconds now) {
    Site& s = sites_[site & (table_size - 1)];
    if (s.tag != site || s.last_line == 0) {
      s.last_line = line;
      s.stride = 0;
      s.tag = site;
      s.run = 0;
      s.times[0] = now;
      s.newest = 0;
      return {};
    }
    const auto step = static_cast<std::int64_t>(line - s.last_line);
    if (step == 0) return {};
    s.run = step == s.stride ? s.run + 1 : 0;
    s.stride = step;
    s.last_line = line;
    s.newest = (s.newest + 1) % s.times.size();
    s.times[s.newest] = now;
    const auto magnitude = static_cast<std::uint64_t>(step < 0 ? -step : step);
    const bool neighbour = magnitude == 1;
    if (s.run < confirmations || magnitude > shape_.maximum_stride) return {.neighbour = neighbour};
    // After its confirmation the prefetcher runs ahead one step more with every step, up to its distance.
    const std::uint64_t ahead = std::min<std::uint64_t>(shape_.distance, s.run - confirmations + 1);
    const Picoseconds asked = s.times[(s.newest + s.times.size() - ahead) % s.times.size()];
    return {.covered = ahead > 0, .neighbour = neighbour, .head_start = now - asked};
  }

 private:
  static constexpr std::uint32_t table_size = 1024;
  static constexpr std::uint32_t confirmations = 2;  // repeats of a stride before it is trusted

  struct Site {
    std::uint64_t last_line = 0;
    std::int64_t stride = 0;
    std::uint32_t tag = 0;
    std::uint32_t run = 0;  // repeats of the stride
    std::uint32_t newest = 0;
    std::array<Picoseconds, maximum_distance + 1> times{};  // of the last misses
  };

  PrefetcherShape shape_;
  PrivateVector<Site> sites_;
};

}  // namespace lbhm::emulator
