// A thread of a team forks inside of a planned region, while pages may be watched; the child uses all of the memory.
#include <cstdlib>

#include "tests/faults/programs/children.h"
#include "tests/faults/programs/program.h"

namespace {

bool use(const faults::Array& array, omp_allocator_handle_t managed) {
  double before = 0, after = 0;
  for (std::size_t i = 0; i < array.count; i += 7) {
    before += array.data[i];
    after += array.data[i] += 1;
  }
  auto* block = static_cast<double*>(omp_alloc(32'768, managed));
  if (!block) return false;
  block[4095] = after;
  omp_free(block, managed);
  return after > before;
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 30;
  const faults::Array array(1 << 18);
  const omp_allocator_handle_t managed = faults::managed_allocator();
  faults::Children children;
  for (int repeat = 0; repeat < repeats && children.all_well(); ++repeat) {
    faults::plan(array);
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0) children.fork_one([&] { return use(array, managed); });
#pragma omp for
      for (std::size_t i = 0; i < array.count; ++i) array.data[i] += 1;
    }
  }
  children.print();
  std::printf("sum %.0f\n", array.sum());
  return faults::finish();
}
