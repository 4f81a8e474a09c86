// Each call reads three elements and throws every second time; with the exception's own int that is a fixed number of
// accesses a pair of calls.
#include "tests/compiler/programs/blocks.h"

NOINLINE int read_three(volatile int* a, int i) {
  int sum = a[0] + a[16] + a[32];
  if (i % 2 == 1) throw i;
  return sum;
}

NOINLINE int guarded(volatile int* a, int i) {
  try {
    return read_three(a, i);
  } catch (int thrown) {
    a[48 + 16 * (thrown % 3)] = thrown;
    return 1;
  }
}

int main() {
  auto* a = static_cast<volatile int*>(block("a", 4096));
  a[0] = 0;
  start();
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += guarded(a, i);
  report();
  return sum != 500;
}
