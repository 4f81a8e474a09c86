/* a[i] = b[i] + 3 * c[i] for i in [5, 905): bytes 40 to 7240, lines 0 to 113. b one element on. */
#include "tests/compiler/programs/blocks.h"

NOINLINE void stream(double* restrict a, const double* restrict b, const double* restrict c, long from, long to) {
  for (long i = from; i < to; ++i) a[i] = b[i + 1] + 3 * c[i];
}

int main(void) {
  double* a = block("a", 8000);
  double* b = block("b", 8000);
  double* c = block("c", 8000);
  start();
  stream(a, b, c, 5, 905);
  report();
}
