// Measured curves of one tier: how much it can do and how slow it gets, by the share of reads in its traffic.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace lbhm {
class JsonAt;
}

namespace lbhm::emulator {

/// Of lines that are read, written, or both. Between rows and uses values are interpolated linearly, beyond the rows
/// the nearest one holds.
class Curves {
 public:
  struct Row {
    double reads = 1;             ///< share of the bytes, 0 to 1
    double bandwidth = 0;         ///< bytes per nanosecond, the greatest one at this share
    std::vector<double> latency;  ///< over the idle latency, at each of the uses
  };

  /// `uses`: of the greatest bandwidth at a row's share, rising to 1; at use 0 the latency is the idle one. `rows`: by
  /// rising share.
  Curves(std::vector<double> uses, std::vector<Row> rows);

  double bandwidth(double reads) const;
  double latency(double use, double reads) const;

  /// The use at which use x latency is `idle_use`: where it comes to rest if that is the use of an idle tier's latency,
  /// and all that is asked for waits for what was asked before. 1 at most.
  double at_rest(double idle_use, double reads) const;

 private:
  /// What lies so far between two neighbours.
  struct Between {
    std::size_t low = 0;
    std::size_t high = 0;
    double part = 0;  ///< 0: all of low
  };
  Between rows_at(double reads) const;
  double latency_in(const Row& row, double use) const;

  std::vector<double> uses_;  // with 0 in front
  std::vector<Row> rows_;     // latencies with 1 in front
};

/// Of a tier of a machine file; nothing if it has no `curves`.
std::optional<Curves> read_curves(const JsonAt& tier);

}  // namespace lbhm::emulator
