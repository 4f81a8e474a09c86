/* A loop that -mavx512f turns into gathers under a mask. index: 0, 3, 6, ...; only odd i. */
#include "tests/compiler/programs/blocks.h"

NOINLINE long gather(const long* from, const int* index, const int* wanted) {
  long sum = 0;
  for (long i = 0; i < 64; ++i) {
    if (wanted[i]) sum += from[index[i] * 8];
  }
  return sum;
}

int main(void) {
  long* from = block("from", 192 * 64);
  int* index = block("index", 256);
  int* wanted = block("wanted", 256);
  for (int i = 0; i < 64; ++i) {
    index[i] = 3 * i;
    wanted[i] = i % 2;
  }
  long sum = gather(from, index, wanted);
  report();
  return sum == 1;
}
