// Blocks of 64 bytes to 1 MiB in the memory of high bandwidth, 500 of each: none may be far from what malloc takes.
// Small ones of the memory of low latency are given to who wants that or nothing.
#include <cstdio>
#include <ctime>
#include <initializer_list>

#include "tests/faults/programs/program.h"

namespace {

constexpr double most_microseconds = 50;  // far from any clock's mood

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

int main() {
  faults::add_one(faults::Array(1 << 12));
  constexpr int repeats = 500;
  for (const std::size_t bytes : {64UL, 4'096UL, 65'536UL, 1UL << 20}) {
    const double begin = processor_seconds();
    for (int repeat = 0; repeat < repeats; ++repeat) {
      auto* block = static_cast<char*>(omp_alloc(bytes, omp_high_bw_mem_alloc));
      block[0] = 1;
      omp_free(block, omp_null_allocator);
    }
    const double each = (processor_seconds() - begin) / repeats * 1e6;
    std::printf("%zu bytes: %s\n", bytes, each < most_microseconds ? "fast" : "slow");
  }
  omp_alloctrait_t or_nothing[] = {{omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t low_latency = omp_init_allocator(omp_low_lat_mem_space, 1, or_nothing);
  void* const block = omp_alloc(10, low_latency);
  std::printf("10 bytes of low latency: %s\n", block ? "given" : "none");
  omp_free(block, low_latency);
  return faults::finish();
}
