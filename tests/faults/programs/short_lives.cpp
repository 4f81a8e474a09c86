// Blocks, managed objects and allocators that live shortly, many of each: none may leave anything behind.
#include <cstdio>

#include "tests/faults/programs/program.h"
#include "tests/faults/programs/resident.h"

namespace {

void blocks(int count) {
  std::size_t bytes = 1;
  for (int i = 0; i < count; ++i) {
    bytes = (bytes * 1103515245 + 12345) % 2003;
    void* block = omp_alloc(bytes + 1, omp_default_mem_alloc);
    if (i % 3 == 0) block = omp_realloc(block, 2 * bytes + 2, omp_default_mem_alloc, omp_null_allocator);
    omp_free(block, omp_null_allocator);
  }
}

void objects(int count) {
  const omp_allocator_handle_t managed = faults::managed_allocator();
  for (int i = 0; i < count; ++i) {
    omp_free(omp_alloc(8192, managed), managed);
    omp_free(omp_aligned_alloc(4096, 5000, omp_default_mem_alloc), omp_null_allocator);
  }
  omp_destroy_allocator(managed);
}

void allocators(int count) {
  for (int i = 0; i < count; ++i) omp_destroy_allocator(faults::managed_allocator());
}

void all(int count) {
  blocks(count);
  objects(count / 50);
  allocators(count / 50);
}

}  // namespace

int main() {
  faults::add_one(faults::Array(1 << 12));
  all(50'000);
  const long before = faults::resident_kib();
  all(200'000);
  std::puts(faults::resident_kib() - before < 2048 ? "no growth" : "it grows");
  return faults::finish();
}
