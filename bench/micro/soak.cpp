// A program that plans and runs regions for long. Prints JSON: resident bytes and nanoseconds of a region, at the begin
// and at the end of its calls of LB_HM_config.
//   bench-soak CALLS REGIONS     regions: of each of the two measured spans without a call
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lbhm/lbhm.h"

namespace {

std::size_t resident_bytes() {
  std::size_t whole = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &whole, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void run_region(std::vector<double>& data) {
#pragma omp parallel
  data[static_cast<std::size_t>(omp_get_thread_num()) * 8] += 1;
}

double region_ns(std::vector<double>& data, long regions) {
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < regions; ++i) run_region(data);
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / static_cast<double>(regions);
}

void plan(std::vector<double>& data) {
  const lbhm_object object{data.data(), data.size() * sizeof(double), "data"};
  if (lbhm_config) lbhm_config(&object, 1);
}

}  // namespace

int main(int argc, char** argv) {
  const long calls = argc > 1 ? std::atol(argv[1]) : 200'000, regions = argc > 2 ? std::atol(argv[2]) : 100'000;
  const long settled = calls / 10;
  std::vector<double> data(4096);
  run_region(data);
  const double first = region_ns(data, regions);
  std::size_t before = 0;
  for (long i = 0; i < calls; ++i) {
    if (i == settled) before = resident_bytes();
    plan(data);
    run_region(data);
  }
  const std::size_t after = resident_bytes();
  const double last = region_ns(data, regions);
  std::printf(
      "{\"calls\": %ld, \"bytes_settled\": %zu, \"bytes_at_end\": %zu, \"ns_first\": %.1f, \"ns_last\": %.1f}\n",
      calls - settled, before, after, first, last);
}
