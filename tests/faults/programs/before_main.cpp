// Allocates, frees and runs regions before main, behind it and in the destructors of threads.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "tests/faults/programs/program.h"

namespace {

constexpr std::size_t large = 1 << 20;

void region(volatile char* bytes) {
#pragma omp parallel
  bytes[omp_get_thread_num()] = 3;
}

struct Life {
  Life() {
    std::memset(small, 1, 100);
    std::memset(aligned, 2, large);
    std::memset(managed, 3, large);
    region(managed);
  }
  ~Life() {
    region(managed);
    const bool kept = small[99] == 1 && aligned[large - 1] == 2 && managed[large - 1] == 3;
    for (char* block : {small, aligned, managed}) omp_free(block, omp_null_allocator);
    omp_free(omp_alloc(large, omp_high_bw_mem_alloc), omp_null_allocator);
    std::printf("destroyed: %s\n", kept ? "contents kept" : "contents lost");
  }

  char* small = static_cast<char*>(omp_alloc(100, omp_default_mem_alloc));
  char* aligned = static_cast<char*>(omp_aligned_alloc(65'536, large, omp_large_cap_mem_alloc));
  char* managed = static_cast<char*>(omp_alloc(large, faults::managed_allocator()));
};

const Life of_program;
thread_local const Life of_thread;

void at_exit() {
  omp_free(omp_alloc(50, omp_default_mem_alloc), omp_null_allocator);
  std::puts("at exit");
}

}  // namespace

int main() {
  std::atexit(at_exit);
  std::printf("main: %d\n", of_thread.small[0]);
  return faults::finish();
}
