// blocks: what a block of omp_high_bw_mem_alloc costs from there and back, one byte of it touched; by size, in
// nanoseconds of processor time.
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <initializer_list>

namespace {

double processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void allocate_and_free(std::size_t bytes, int times) {
  for (int i = 0; i < times; ++i) {
    auto* const block = static_cast<volatile char*>(omp_alloc(bytes, omp_high_bw_mem_alloc));
    block[0] = 1;
    omp_free(const_cast<char*>(block), omp_null_allocator);
  }
}

}  // namespace

int main() {
  for (const std::size_t bytes : {64ul, 4096ul, 65536ul, 1ul << 20}) {
    constexpr int times = 1000;
    allocate_and_free(bytes, times);  // the heap is made, its pages are there
    const double begin = processor_nanoseconds();
    allocate_and_free(bytes, times);
    std::printf("%zu %.0f\n", bytes, (processor_nanoseconds() - begin) / times);
  }
}
