/* Loops that wait for another thread's store, and others that only look like it. */
#include "tests/compiler/programs/blocks.h"

NOINLINE void wait_relaxed(const int* flag) {
  while (!__atomic_load_n(flag, __ATOMIC_RELAXED)) {}
}
NOINLINE void wait_behind_barrier(const int* flag) {
  while (!*flag) __asm__ volatile("" ::: "memory");
}
NOINLINE int others_places(const int* from, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += __atomic_load_n(&from[i], __ATOMIC_RELAXED);
  return sum;
}
NOINLINE void works(int* to, const int* flag, int count) {
  for (int i = 0; i < count; ++i) to[i] = __atomic_load_n(flag, __ATOMIC_RELAXED);
}

int main(void) {
  int* flag = block("flag", 64);
  int* to = block("to", 400);
  *flag = 1;
  for (int i = 0; i < 10; ++i) {
    wait_relaxed(flag);
    wait_behind_barrier(flag);
  }
  works(to, flag, 100);
  const int sum = others_places(to, 100);
  report();
  return sum != 100;
}
