/* Atomic operations, with and without a use of their result, and stores past the caches. */
#include "tests/compiler/programs/blocks.h"

NOINLINE long hand_out(long* ticket) { return __atomic_fetch_add(ticket, 1, __ATOMIC_SEQ_CST); }
NOINLINE void count(long* counter) { __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST); }
NOINLINE int claim(long* lock) {
  long expected = 0;
  return __atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
NOINLINE void set(long* flag) { __atomic_store_n(flag, __atomic_load_n(flag, __ATOMIC_ACQUIRE) + 1, __ATOMIC_RELEASE); }

NOINLINE void stream_past(double* to, long count) {
  for (long i = 0; i < count; ++i) __builtin_nontemporal_store(1.0, &to[i]);
}
NOINLINE void stream(double* to, long count) {
  for (long i = 0; i < count; ++i) to[i] = 1;
}

int main(void) {
  long* shared = block("shared", 64);
  double* past = block("past", 8000);
  double* through = block("through", 8000);
  long sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += hand_out(&shared[0]) + claim(&shared[1]);
    count(&shared[2]);
    set(&shared[3]);
  }
  stream_past(past, 1000);
  stream(through, 1000);
  report();
  return sum != 45 + 1;
}
