// Calls LB_HM_config with lists that are wrong in every way, and goes on.
#include <sys/mman.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tests/faults/programs/program.h"

namespace {

char in_the_program[1 << 16];

void config(const faults::Array& array, std::vector<void*> objects, std::vector<int> sizes) {
  objects.push_back(nullptr);
  sizes.push_back(0);
  if (LB_HM_config) LB_HM_config(objects.data(), sizes.data());
#pragma omp parallel for
  for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
}

void config64(const faults::Array& array, std::vector<lbhm_object> objects) {
  if (lbhm_config) lbhm_config(objects.data(), objects.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
}

void sizes_that_are_wrong(const faults::Array& array) {
  for (const int size : {-5, -1, INT_MIN, INT_MAX, 0}) config(array, {array.data}, {size});
}

void addresses_that_are_wrong(const faults::Array& array) {
  char on_the_stack[10'000];
  auto* address = reinterpret_cast<char*>(array.data);
  config(array, {}, {});
  config(array, {address + 5}, {100});
  config(array, {in_the_program, on_the_stack}, {sizeof in_the_program, sizeof on_the_stack});
  config(array, {address, address, address + 4096}, {1 << 16, 1 << 16, 8192});
  config(array, {reinterpret_cast<void*>(16)}, {1 << 20});
  config64(array, {{nullptr, 4096, "null"}});
  config64(array, {{reinterpret_cast<void*>(-4096L), SIZE_MAX, "past the end"}});
  config64(array, {{reinterpret_cast<void*>(4096), SIZE_MAX - 4096, "all memory"}});
  config64(array, {{in_the_program, 1UL << 46, "too large"}});
  config64(array, {{address, 0, "\xff\xfe no UTF-8 \n\x1b[31m\""}});
  if (lbhm_config) lbhm_config(nullptr, 3);
  if (LB_HM_config) LB_HM_config(nullptr, nullptr);
}

/// The plan's memory is freed, and something else lies there when the region begins.
void memory_that_is_gone(const faults::Array& array) {
  for (int repeat = 0; repeat < 4; ++repeat) {
    const faults::Array other(1 << 16);
    if (repeat % 2) omp_free(other.data, omp_null_allocator);
    config64(array, {{array.data, array.bytes(), "array"}, {other.data, other.bytes(), "other"}});
    if (repeat % 2) continue;
    omp_free(other.data, omp_null_allocator);
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    void* const mapped = mmap(other.data, other.bytes(), PROT_READ | PROT_WRITE, flags, -1, 0);
    config(array, {array.data}, {-1});
    if (mapped != MAP_FAILED) munmap(mapped, other.bytes());
  }
}

}  // namespace

int main() {
  const faults::Array array(1 << 16);
  for (int repeat = 0; repeat < 3; ++repeat) {
    sizes_that_are_wrong(array);
    addresses_that_are_wrong(array);
    memory_that_is_gone(array);
  }
#pragma omp parallel num_threads(4)
  for (int repeat = 0; repeat < 100; ++repeat) faults::plan(array);
  std::printf("sum %.0f\n", array.sum());
  return faults::finish();
}
