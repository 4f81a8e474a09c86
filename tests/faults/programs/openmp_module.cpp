// The module that openmp_later loads: a region over managed memory.
#include "tests/faults/programs/program.h"

extern "C" [[gnu::visibility("default")]] double sum_of_a_region() {
  const faults::Array array(1 << 14);
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  const double sum = array.sum();
  omp_free(array.data, omp_null_allocator);
  return sum;
}
