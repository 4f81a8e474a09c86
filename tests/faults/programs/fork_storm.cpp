// Forks as often as the first argument says, while other threads run regions, plan, and allocate by every kind of
// allocator. Each child allocates and runs a region; the parent prints how many hung or failed.
#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <thread>
#include <vector>

#include "tests/faults/programs/children.h"
#include "tests/faults/programs/program.h"

namespace {

struct Storm {
  std::atomic<bool> stop{false};
  omp_allocator_handle_t managed = faults::managed_allocator();
  faults::Array array{1 << 12};

  bool allocate() const {
    for (const omp_allocator_handle_t by : {omp_default_mem_alloc, omp_high_bw_mem_alloc, omp_large_cap_mem_alloc,
                                            omp_low_lat_mem_alloc, managed, omp_null_allocator}) {
      auto* bytes = static_cast<char*>(omp_aligned_alloc(4096, 20'000, by));
      if (!bytes) return false;
      bytes[0] = 1;
      bytes = static_cast<char*>(omp_realloc(bytes, 40'000, by, omp_null_allocator));
      if (!bytes || bytes[0] != 1) return false;
      omp_free(bytes, omp_null_allocator);
    }
    return true;
  }
  bool region() const {
    int members = 0;
    faults::plan(array);
#pragma omp parallel num_threads(2) reduction(+ : members)
    ++members;
    return members == 2;
  }
  void allocators() const { omp_destroy_allocator(faults::managed_allocator()); }
};

}  // namespace

int main(int argc, char** argv) {
  const int forks = argc > 1 ? std::atoi(argv[1]) : 100;
  Storm storm;
  storm.region();  // libomp alone hangs in a child that is forked while it starts
  const auto repeat = [&](auto work) {
    return std::thread([&storm, work] {
      while (!storm.stop) work();
    });
  };
  std::vector<std::thread> threads;
  threads.push_back(repeat([&] { storm.allocate(); }));
  threads.push_back(repeat([&] { storm.region(); }));
  threads.push_back(repeat([&] { storm.allocators(); }));
  faults::Children children;
  for (int i = 0; i < forks; ++i) children.fork_one([&] { return storm.allocate() && storm.region(); });
  storm.stop = true;
  for (std::thread& thread : threads) thread.join();
  children.print();
  return faults::finish();
}
