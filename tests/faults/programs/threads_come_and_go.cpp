// Threads that run a region, allocate and end: what LB-HM keeps of each must go with it.
#include <cstdio>
#include <thread>

#include "tests/faults/programs/program.h"
#include "tests/faults/programs/resident.h"

namespace {

void short_life(const faults::Array& array) {
#pragma omp parallel for num_threads(2)
  for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
  omp_free(omp_alloc(100, omp_high_bw_mem_alloc), omp_null_allocator);
}

}  // namespace

int main() {
  const faults::Array array(4096);
  const auto threads = [&](int count) {
    for (int i = 0; i < count; ++i) std::thread(short_life, array).join();
  };
  threads(40);  // libomp and the C library keep something of the first ones
  const long before = faults::resident_kib();
  threads(60);
  std::printf("sum %.0f; %s\n", array.sum(), faults::resident_kib() - before < 4096 ? "no growth" : "it grows");
  return faults::finish();
}
