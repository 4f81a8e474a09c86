// A region a millisecond for as many seconds as the first argument says, and threads that come and go. Every five
// seconds (every one below a minute) it prints: seconds, regions so far, resident KiB. Each region is planned; with 0
// as second argument, the first one alone: then all others belong to its phase.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/faults/programs/program.h"
#include "tests/faults/programs/resident.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Soak {
  faults::Array array{1 << 13};
  long regions = 0;
  bool plans = true;  // before each region, or before the first one alone

  void region() {
    if (plans || regions == 0) faults::plan(array);
    add_one();
    if (++regions % 50 == 0) std::thread(&Soak::short_life, this).join();
  }
  void add_one() const {
#pragma omp parallel for num_threads(2)
    for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
  }
  void short_life() const {
    add_one();
    omp_free(omp_alloc(5'000, omp_high_bw_mem_alloc), omp_null_allocator);
    omp_free(omp_aligned_alloc(4096, 100, omp_default_mem_alloc), omp_null_allocator);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
  const bool plans = argc < 3 || std::atoi(argv[2]) != 0;
  const std::chrono::seconds step(seconds < 60 ? 1 : 5);
  Soak soak;
  soak.plans = plans;
  const auto begin = Clock::now();
  auto next_line = begin + step;
  for (auto next = begin; next < begin + std::chrono::seconds(seconds); next = std::max(next, Clock::now())) {
    soak.region();
    next += std::chrono::milliseconds(1);
    std::this_thread::sleep_until(next);
    if (Clock::now() < next_line) continue;
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(next_line - begin).count();
    std::printf("%ld %ld %ld\n", static_cast<long>(now), soak.regions, faults::resident_kib());
    std::fflush(stdout);
    next_line += step;
  }
  return faults::finish();
}
