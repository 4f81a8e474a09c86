/* Loops of known numbers of branches and mispredictions. */
#include "tests/compiler/programs/blocks.h"

/* 1000 iterations with a call-free branch that changes its outcome 200 times. */
NOINLINE void alternate(volatile long* a) {
  for (long i = 0; i < 1000; ++i) {
    if (i / 5 % 2 == 1) {
      a[0] = i;
      __asm__ volatile("nop"); /* keeps the branch a branch */
    } else {
      a[8] = i;
    }
  }
}

int main(void) {
  long* a = block("a", 128);
  a[0] = 1;
  start();
  alternate(a);
  report();
}
