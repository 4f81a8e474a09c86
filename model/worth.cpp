#include "model/worth.h"

#include <algorithm>

namespace lbhm {
namespace {

Nanoseconds transfer_time(AccessCount count, BytesPerNanosecond bandwidth, Bytes line) {
  const double each = bandwidth.value > 0 ? static_cast<double>(line.value) / bandwidth.value : 0;
  return Nanoseconds(each * count.value);
}

/// Acc of Eq. 1 for one direction: misses wait for the memory, hits were brought in by its bandwidth.
Nanoseconds one_way(AccessCount count, double hit_ratio, Nanoseconds latency, BytesPerNanosecond bandwidth,
                    Bytes line) {
  const double misses = count.value * (1 - hit_ratio), hits = count.value * hit_ratio;
  return latency * misses + transfer_time(AccessCount(hits), bandwidth, line);
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

Nanoseconds benefit(const TimedUse& use, const MemoryFigures& slow, const MemoryFigures& fast, Bytes line,
                    const SampleFactors& factors) {
  constexpr double sensitive_to_bandwidth = 0.8, sensitive_to_latency = 0.1;  // t1 and t2 of section 3.1.2
  const auto transfer = [&](const MemoryFigures& memory) {
    return transfer_time(use.loads, memory.read_bandwidth, line) +
           transfer_time(use.stores, memory.write_bandwidth, line);
  };
  const AccessCount all = use.loads + use.stores;
  const Nanoseconds by_bandwidth = (transfer(slow) - transfer(fast)) * factors.bandwidth;
  const Nanoseconds by_latency = (slow.latency - fast.latency) * all.value * factors.latency;
  const double bytes = all.value * static_cast<double>(line.value);
  const double share = bytes > 0 ? bytes / (use.during.value * factors.peak.value) : 0;  // Eq. 1, of the peak
  if (!(share < sensitive_to_bandwidth)) return by_bandwidth;
  return share < sensitive_to_latency ? by_latency : std::max(by_bandwidth, by_latency);
}

}  // namespace lbhm
