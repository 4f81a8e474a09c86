#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "bench/measure/figure.h"
#include "bench/measure/measured_memory.h"

namespace measure {
namespace {

constexpr std::size_t steps = 300'000;

struct Loaded {
  double latency_ns = 0;
  double bandwidth = 0;  // GB/s that the others read meanwhile
};

Loaded chase_beside_streams(std::span<const Line> lines, std::span<const Words> stream) {
  constexpr std::size_t portion = 4096;  // lines between two looks at the flag
  std::atomic<bool> done = false;
  std::atomic<std::size_t> portions = 0;
  Loaded loaded;
  double seconds = 0;
#pragma omp parallel
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    if (thread == 0) {
      Walk walk(lines.subspan(lines.size() / 2));
      walk.step_ns(steps / 10);  // the others are under way after it
      const std::size_t before = portions;
      seconds = elapsed_seconds_of([&] { loaded.latency_ns = walk.step_ns(steps); });
      loaded.bandwidth = static_cast<double>((portions - before) * portion * sizeof(Words)) / seconds / 1e9;
      done = true;
    }
    const std::size_t threads = omp_get_num_threads();
    Words sum{};
    for (std::size_t at = stream.size() / threads * thread; !done; ++portions) {
      if (at + portion > stream.size()) at = 0;
      for (const std::size_t end = at + portion; at < end; ++at) sum += stream[at];
    }
    if (sum[0] == 1) seconds = 0;  // never so; keeps the loads
  }
  return loaded;
}

}  // namespace

double loaded_latency_ratio(std::span<const Line> lines, std::span<const Words> stream, double bandwidth) {
  if (omp_get_max_threads() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double idle = Walk(lines).step_ns(steps);
  const Loaded loaded = chase_beside_streams(lines, stream);
  const double use = std::min(0.95, loaded.bandwidth / bandwidth);
  return 1 + 9 * std::max(0.0, loaded.latency_ns / idle - 1) * (1 - use) / use;
}

}  // namespace measure
