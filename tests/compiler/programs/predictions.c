/* Branches whose predictions are known. The first argument chooses the kernel. */
#include "tests/compiler/programs/blocks.h"

#define KEPT_BRANCH __asm__ volatile("nop") /* keeps a branch from becoming a selection */

/* A branch an element, taken where it is not 0. */
NOINLINE long follow(const int* pattern, long count) {
  long taken = 0;
  for (long i = 0; i < count; ++i) {
    if (pattern[i]) {
      KEPT_BRANCH;
      ++taken;
    }
  }
  return taken;
}

/* Loops of so many iterations, one after the other. */
NOINLINE void run_loops(const int* lengths, long count) {
  for (long i = 0; i < count; ++i) {
    int length = lengths[i];
    int j = 0;
    do { KEPT_BRANCH; } while (++j < length);
  }
}

NOINLINE long search(const int* values, int wanted) {
  long i = 0;
  while (values[i] != wanted) ++i;
  return i;
}

NOINLINE void choose(const int* ways, long count) {
  for (long i = 0; i < count; ++i) {
    switch (ways[i]) {
      case 0:
        __asm__ volatile("nop");
        break;
      case 1:
        __asm__ volatile("nop; nop");
        break;
      case 2:
        __asm__ volatile("nop; nop; nop");
        break;
      case 3:
        __asm__ volatile("nop; nop; nop; nop");
        break;
      case 4:
        __asm__ volatile("nop; nop; nop; nop; nop");
        break;
    }
  }
}

enum { count = 4000 };

static unsigned state = 1;
static int coin(void) {
  state = state * 1664525u + 1013904223u;
  return (int)(state >> 31);
}

int main(int argc, char** argv) {
  int* data = block("data", count * sizeof(int));
  const char* kernel = argc > 1 ? argv[1] : "";
  for (int i = 0; i < count; ++i) {
    if (!strcmp(kernel, "always")) data[i] = 1;
    if (!strcmp(kernel, "alternating")) data[i] = i % 2;
    if (!strcmp(kernel, "period4")) data[i] = i % 4 == 0;
    if (!strcmp(kernel, "random")) data[i] = coin();
    if (!strcmp(kernel, "loops_of_10")) data[i] = 10;
    if (!strcmp(kernel, "loops_of_100")) data[i] = 100;
    if (!strcmp(kernel, "loops_that_change")) data[i] = 5 + i % 2;
    if (!strcmp(kernel, "search")) data[i] = i;
    if (!strcmp(kernel, "same_way")) data[i] = 3;
    if (!strcmp(kernel, "other_way")) data[i] = i % 5;
  }
  forget();
  start();
  if (!strncmp(kernel, "loops", 5))
    run_loops(data, count);
  else if (!strcmp(kernel, "search"))
    search(data, count - 1);
  else if (!strcmp(kernel, "same_way") || !strcmp(kernel, "other_way"))
    choose(data, count);
  else
    follow(data, count);
  report();
}
