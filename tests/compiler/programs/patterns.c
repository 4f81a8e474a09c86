/* Other patterns, each on blocks of its own. */
#include "tests/compiler/programs/blocks.h"

struct node {
  struct node* next;
  long value[15];
};

/* Every third line, downward. */
NOINLINE long stride(const long* a) {
  long sum = 0;
  for (long i = 960; i >= 0; i -= 24) sum += a[i];
  return sum;
}

/* index: 0, 7, 14, ... mod 101; from[] in lines. */
NOINLINE long gather(const long* from, const int* index, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += from[index[i] * 8];
  return sum;
}

NOINLINE void scatter(long* to, const int* index, long count) {
  for (long i = 0; i < count; ++i) to[index[i] * 8] = i;
}

NOINLINE long chase(const struct node* at, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) at = at->next;
  return sum + (long)at;
}

NOINLINE void atomics(long* a) {
  for (long i = 0; i < 40; i += 2) {
    __atomic_fetch_add(&a[i * 8], 1, __ATOMIC_SEQ_CST);
    long expected = 0;
    __atomic_compare_exchange_n(&a[(i + 1) * 8], &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

/* Rows of 3 elements, unaligned to lines, from the last to the first. */
NOINLINE void rows(long* a) {
  for (long row = 99; row >= 0; --row) {
    for (long i = 0; i < 3; ++i) a[row * 3 + i] = i;
  }
}

/* 20 bytes that lie across lines 0 and 1, outside of every loop. */
NOINLINE void straddle(char* a) { memset(a + 56, 1, 20); }

int main(void) {
  long* strided = block("strided", 8000);
  int* index = block("index", 50 * sizeof(int));
  long* gathered = block("gathered", 101 * 64);
  long* scattered = block("scattered", 101 * 64);
  long* atomic = block("atomic", 40 * 64);
  long* small_rows = block("rows", 300 * 8);
  char* across = block("across", 128);
  struct node* nodes = block("nodes", 40 * sizeof(struct node));
  for (int i = 0; i < 50; ++i) index[i] = i * 7 % 101;
  for (int i = 0; i < 40; ++i) nodes[i * 11 % 40].next = &nodes[(i + 1) * 11 % 40];
  long sum = stride(strided) + gather(gathered, index, 50) + chase(nodes, 100);
  scatter(scattered, index, 50);
  atomics(atomic);
  rows(small_rows);
  straddle(across);
  report();
  return sum == 42;
}
