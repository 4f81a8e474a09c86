/* Accesses whose addresses come from values that were read, each on blocks of its own. */
#include "tests/compiler/programs/blocks.h"

struct node {
  struct node* next;
  long value[15];
};

NOINLINE void multiply(double* restrict y, const double* restrict x, const double* restrict value, const int* column,
                       const int* row, long rows) {
  for (long i = 0; i < rows; ++i) {
    double sum = 0;
    for (long j = row[i]; j < row[i + 1]; ++j) sum += value[j] * x[column[j]];
    y[i] = sum;
  }
}

NOINLINE long walk(const struct node* at) {
  long sum = 0;
  while (at) {
    sum += at->value[10];
    at = at->next;
  }
  return sum;
}

NOINLINE void histogram(int* bins, const unsigned char* keys, long count) {
  for (long i = 0; i < count; ++i) ++bins[keys[i]];
}

NOINLINE void gather(long* restrict to, const long* restrict from, const int* restrict index, long count) {
  for (long i = 0; i < count; ++i) to[i] = from[index[i] * 8];
}

NOINLINE long two_levels(const long* data, const int* outer, const int* inner, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += data[inner[outer[i]]];
  return sum;
}

NOINLINE long descend(const int* tree, const int* child, int key) {
  long depth = 0;
  for (int at = 0; tree[at] != key; at = child[2 * at + (key > tree[at])]) ++depth;
  return depth;
}

NOINLINE void stream(double* restrict to, const double* restrict from, long count) {
  for (long i = 0; i < count; ++i) to[i] = 2 * from[i];
}

/* A complete search tree of 63 keys, from the root on. */
static void grow(int* tree, int* child) {
  for (int i = 0, step = 64; i < 63; ++i) {
    if ((i & (i + 1)) == 0) step /= 2;
    tree[i] = step + 2 * step * (i - (64 / 2 / step - 1));
    child[2 * i] = 2 * i + 1;
    child[2 * i + 1] = 2 * i + 2;
  }
}

int main(void) {
  int* row = block("row", 101 * sizeof(int));
  int* column = block("column", 1000 * sizeof(int));
  double* value = block("value", 8000);
  double* x = block("x", 8000);
  double* y = block("y", 800);
  struct node* nodes = block("nodes", 40 * sizeof(struct node));
  unsigned char* keys = block("keys", 1000);
  int* bins = block("bins", 1024);
  int* index = block("index", 100 * sizeof(int));
  long* gathered = block("gathered", 101 * 64);
  long* result = block("result", 800);
  int* outer = block("outer", 400);
  int* inner = block("inner", 400);
  long* data = block("data", 800);
  int* tree = block("tree", 63 * sizeof(int));
  int* child = block("child", 2 * 63 * sizeof(int));
  double* to = block("to", 8000);
  double* from = block("from", 8000);
  for (int i = 0; i < 101; ++i) row[i] = 10 * i;
  for (int i = 0; i < 1000; ++i) column[i] = i * 7 % 1000;
  for (int i = 0; i < 39; ++i) nodes[i * 11 % 40].next = &nodes[(i + 1) * 11 % 40];
  for (int i = 0; i < 1000; ++i) keys[i] = (unsigned char)(i * 7);
  for (int i = 0; i < 100; ++i) index[i] = i * 7 % 101;
  for (int i = 0; i < 100; ++i) outer[i] = inner[i] = i * 7 % 100;
  grow(tree, child);
  forget();
  multiply(y, x, value, column, row, 100);
  long sum = walk(nodes);
  histogram(bins, keys, 1000);
  gather(result, gathered, index, 100);
  sum += two_levels(data, outer, inner, 100);
  for (int key = 1; key < 64; ++key) sum += descend(tree, child, key);
  stream(to, from, 1000);
  report();
  return sum == 42;
}
