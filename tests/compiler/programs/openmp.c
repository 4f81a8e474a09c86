/* Four threads write a quarter of the block each. */
#include "tests/compiler/programs/blocks.h"

int main(void) {
  double* a = block("a", 64000);
#pragma omp parallel for num_threads(4) schedule(static)
  for (long i = 0; i < 8000; ++i) a[i] = (double)i;
  report();
}
