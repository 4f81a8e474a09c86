// Forks while other threads are inside of OpenMP's allocators; each child allocates by all of them.
#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <thread>

#include "tests/faults/programs/children.h"
#include "tests/faults/programs/program.h"

namespace {

bool allocate_by(omp_allocator_handle_t allocator) {
  for (const std::size_t bytes : {100UL, 5'000UL, 100'000UL}) {
    auto* block = static_cast<char*>(omp_aligned_alloc(4096, bytes, allocator));
    if (!block) return false;
    block[bytes - 1] = 1;
    omp_free(block, allocator);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int forks = argc > 1 ? std::atoi(argv[1]) : 300;
  faults::add_one(faults::Array(1 << 12));
  const omp_allocator_handle_t managed = faults::managed_allocator();
  const auto allocate = [managed] {
    return allocate_by(omp_default_mem_alloc) && allocate_by(omp_high_bw_mem_alloc) && allocate_by(managed);
  };
  std::atomic<bool> stop{false};
  const auto until_stopped = [&] {
    while (!stop) allocate();
  };
  std::thread first(until_stopped), second(until_stopped);
  faults::Children children;
  for (int i = 0; i < forks && children.all_well(); ++i) children.fork_one(allocate);
  stop = true;
  first.join();
  second.join();
  children.print();
  return faults::finish();
}
