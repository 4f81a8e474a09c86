// A stride prefetcher with one entry an access site, in the manner of Intel's IP-based stride prefetcher.
//
// It says how far ahead a line was asked for; the core turns that into the latency that is left. Lines are not
// brought into the cache model ahead of time: only the time of a miss changes, not its traffic.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/parts/cache.h"

namespace lbhm::emulator {

struct PrefetcherShape {
  std::uint32_t distance = 1;        ///< steps that it runs ahead at most; up to maximum_distance
  std::uint32_t maximum_stride = 1;  ///< lines
};

class Prefetcher {
 public:
  static constexpr std::uint32_t maximum_distance = 31;  // Intel's streamer needs 20; one less than a power of two

  struct Prediction {
    bool covered = false;        ///< the line was asked for ahead of time
    bool neighbour = false;      ///< one line from the last miss of this site: sequential latency
    bool broke_off = false;      ///< a covered stream of this site ended before this miss: see waste()
    Picoseconds head_start = 0;  ///< how long before now it was asked for; 0 if it was not
  };

  /// Lines asked for in vain.
  struct Waste {
    std::uint32_t count = 0;
    LineId first = 0;
    std::int64_t stride = 0;
  };

  explicit Prefetcher(PrefetcherShape shape) : shape_(shape), sites_(table_size) {}

  /// A miss of the first-level cache. Lines are counted over the core's own frames: pages that it touched one after the
  /// other are neighbours, and where the system put them in the address space makes no difference.
  [[gnu::always_inline]] Prediction observe(std::uint32_t site, LineId line, Picoseconds now) {
    Site& s = sites_[site & (table_size - 1)];
    Prediction prediction;
    if (s.tag != site + 1) {
      s.last_line = line;
      s.stride = 0;
      s.tag = site + 1;
      s.run = 0;
      s.times[0] = now;
      s.newest = 0;
      return prediction;
    }
    const auto step = static_cast<std::int32_t>(line - s.last_line);
    if (step == 0) return prediction;
    prediction.neighbour = step == 1 || step == -1;
    if (step != s.stride) {
      if (s.run >= confirmations) {
        prediction.broke_off = true;
        waste_ = asked_in_vain(s);
      }
      s.stride = step;
      s.run = 0;
    } else {
      ++s.run;
    }
    s.last_line = line;
    s.newest = (s.newest + 1) % s.times.size();
    s.times[s.newest] = now;
    if (s.run < confirmations) return prediction;
    const std::uint32_t steps = ahead(s);
    prediction.covered = steps > 0;
    prediction.head_start = now - s.times[(s.newest - steps) % s.times.size()];
    return prediction;
  }

  /// Of the stream that broke off last.
  const Waste& waste() const { return waste_; }

 private:
  static constexpr std::uint32_t table_size = 1024;
  static constexpr std::uint32_t confirmations = 2;  // repeats of a stride before it is trusted

  static constexpr LineId lines_a_page = 64;

  struct Site {
    LineId last_line = 0;
    std::int32_t stride = 0;  // lines
    std::uint32_t tag = 0;    // the site's number, plus one
    std::uint32_t run = 0;    // repeats of the stride
    std::uint32_t newest = 0;
    std::array<Picoseconds, maximum_distance + 1> times{};  // of the last misses
  };

  /// After its confirmation the prefetcher runs ahead one step more with every step, up to its distance.
  std::uint32_t ahead(const Site& s) const {
    const auto magnitude = static_cast<std::uint32_t>(s.stride < 0 ? -s.stride : s.stride);
    return magnitude > shape_.maximum_stride ? 0 : std::min(shape_.distance, s.run - confirmations + 1);
  }

  /// It never asks for lines behind a page border before the stream has crossed it: the next page may be another frame.
  Waste asked_in_vain(const Site& s) const {
    const LineId in_page = s.last_line % lines_a_page;
    const auto left = s.stride > 0 ? (lines_a_page - 1 - in_page) / s.stride : in_page / -s.stride;
    return {.count = std::min(ahead(s), static_cast<std::uint32_t>(left)),
            .first = static_cast<LineId>(s.last_line + s.stride),
            .stride = s.stride};
  }

  PrefetcherShape shape_;
  ZeroedTable<Site> sites_;
  Waste waste_;
};

}  // namespace lbhm::emulator
