// Each call reads three elements of a line of its own and throws every second time; the handler writes one element.
// An entry lost on either way shows as a missing line.
#include "tests/compiler/programs/blocks.h"

NOINLINE int read_three(volatile int* line, int i) {
  int sum = line[0] + line[1] + line[2];
  if (i % 2 == 1) throw i;
  return sum;
}

NOINLINE int guarded(volatile int* from, volatile int* to, int i) {
  try {
    int sum = read_three(from + 16 * i, i);
    to[16 * i] = 1;
    return sum;
  } catch (int thrown) {
    to[16 * thrown] = thrown;
    return 1;
  }
}

int main() {
  auto* from = static_cast<volatile int*>(block("from", 64000));
  auto* to = static_cast<volatile int*>(block("to", 64000));
  to[0] = 0;
  start();
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += guarded(from, to, i);
  report();
  return sum != 500;
}
