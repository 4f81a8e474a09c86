// Allocations before main, after main, and in threads that OpenMP did not make.
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

struct Early {
  char* memory = static_cast<char*>(omp_alloc(5000, omp_default_mem_alloc));
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 0, nullptr);
  void* more = omp_alloc(100, allocator);
  Early() { std::memset(memory, 4, 5000); }
  ~Early() {
    std::printf("late: %d\n", memory[4999]);
    omp_free(memory, omp_null_allocator);
    omp_free(more, allocator);
    void* last = omp_alloc(77, omp_null_allocator);
    std::printf("later: %d\n", last != nullptr);
    omp_free(last);
  }
};

Early early;

long work() {
  long good = 0;
  for (std::size_t i = 1; i < 2000; ++i) {
    char* p = static_cast<char*>(omp_alloc(i, omp_null_allocator));
    char* q = static_cast<char*>(omp_aligned_alloc(64, i, omp_default_mem_alloc));
    std::memset(p, 1, i);
    std::memset(q, 2, i);
    good += p[i - 1] + q[i - 1];
    omp_free(p);
    omp_free(q);
  }
  return good;
}

}  // namespace

int main() {
  std::printf("early: %d %d\n", early.memory[0], early.more != nullptr);
  std::vector<long> good(4);
  std::vector<std::thread> threads;
  for (auto& g : good) threads.emplace_back([&g] { g = work(); });
  for (auto& t : threads) t.join();
  for (const long g : good) std::printf("thread: %ld\n", g);
}
