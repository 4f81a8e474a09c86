#include "model/worth.h"

#include <algorithm>

namespace lbhm {
namespace {

/// Acc of Eq. 1 for one direction: misses wait for the memory, hits were brought in by its bandwidth.
Nanoseconds one_way(AccessCount count, double hit_ratio, Nanoseconds latency, BytesPerNanosecond bandwidth,
                    Bytes line) {
  const double misses = count.value * (1 - hit_ratio), hits = count.value * hit_ratio;
  const double transfer = bandwidth.value > 0 ? static_cast<double>(line.value) / bandwidth.value : 0;
  return latency * misses + Nanoseconds(transfer * hits);
}

}  // namespace

Nanoseconds access_time(const ObjectUse& use, const MemoryFigures& memory, Bytes line) {
  const double hit_ratio = std::clamp(use.hit_ratio, 0.0, 1.0);
  return one_way(use.loads, hit_ratio, memory.latency, memory.read_bandwidth, line) +
         one_way(use.stores, hit_ratio, memory.latency, memory.write_bandwidth, line);
}

Nanoseconds improvement(const ObjectUse& use, const MemoryFigures& slow, const MemoryFigures& fast, Bytes line,
                        AccessCount period) {
  return (access_time(use, slow, line) - access_time(use, fast, line)) * period.value;
}

}  // namespace lbhm
