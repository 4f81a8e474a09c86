// managed MIB: that much memory in managed objects of 1 MiB, written, named to LB_HM_config and used in two regions, as
// a program does that asks for all that LB-HM offers. What it needs of memory is for whoever starts it to see.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

int main(int count, char** words) {
  const long mebibytes = count == 2 ? std::atol(words[1]) : 0;
  if (mebibytes < 1) {
    std::fprintf(stderr, "usage: bench-managed MIB (at least 1)\n");
    return 2;
  }
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  std::vector<lbhm_object> objects;
  for (long i = 0; i < mebibytes; ++i) {
    void* memory = omp_alloc(bytes, allocator);
    if (!memory) return 1;
    std::memset(memory, static_cast<int>(i), bytes);
    objects.push_back({memory, bytes, nullptr});
  }
  unsigned long sum = 0;
  for (int instance = 0; instance < 2; ++instance) {
    if (lbhm_config) lbhm_config(objects.data(), objects.size());
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (const lbhm_object& object : objects) sum += *static_cast<const unsigned char*>(object.address);
  }
  std::printf("%lu\n", sum);
  for (const lbhm_object& object : objects)
    omp_free(const_cast<void*>(static_cast<const void*>(object.address)), allocator);
}
