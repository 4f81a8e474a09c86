/* One loop a function, each over `n` elements; the first argument chooses. Their instructions are counted in the
 * machine code, too. */
#include "tests/compiler/programs/blocks.h"

enum { n = 4096 };

struct particle {
  double x, y, z, mass;
};

NOINLINE void triad(double* restrict a, const double* restrict b, const double* restrict c) {
  for (long i = 0; i < n; ++i) a[i] = b[i] + 3 * c[i];
}

NOINLINE double dot(const double* a, const double* b) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

NOINLINE void stencil(double* restrict to, const double* restrict from) {
  for (long i = 1; i < n; ++i) to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
}

NOINLINE double gather(const double* a, const int* index) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += a[index[i]];
  return sum;
}

NOINLINE void histogram(int* bins, const unsigned char* keys) {
  for (long i = 0; i < n; ++i) ++bins[keys[i]];
}

NOINLINE double energy(const struct particle* all) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    const struct particle* p = &all[i];
    sum += p->mass * (p->x * p->x + p->y * p->y + p->z * p->z);
  }
  return sum;
}

NOINLINE unsigned hash(const unsigned char* text) {
  unsigned value = 2166136261u;
  for (long i = 0; i < n; ++i) value = (value ^ text[i]) * 16777619u;
  return value;
}

NOINLINE long largest(const long* a) {
  long best = 0;
  for (long i = 0; i < n; ++i) best = a[i] > best ? a[i] : best;
  return best;
}

NOINLINE void divide(float* a, const int* by) {
  for (long i = 0; i < n; ++i) a[i] = a[i] / (float)by[i];
}

/* Both operands of each subtraction live on: before AVX it works on a copy. */
NOINLINE void differences(double* restrict to, const double* restrict from, double x, double y) {
  for (long i = 0; i < n; ++i) {
    double value = from[i];
    to[i] = (value - x) * (value - y) + (x - value) / (y - value);
  }
}

int main(int argc, char** argv) {
  void* a = block("a", (n + 1) * sizeof(struct particle));
  void* b = block("b", (n + 1) * 8);
  void* c = block("c", (n + 1) * 8);
  const char* loop = argc > 1 ? argv[1] : "";
  double result = 0;
  start();
  if (!strcmp(loop, "triad")) triad(a, b, c);
  if (!strcmp(loop, "dot")) result = dot(a, b);
  if (!strcmp(loop, "stencil")) stencil(a, b);
  if (!strcmp(loop, "gather")) result = gather(a, b);
  if (!strcmp(loop, "histogram")) histogram(a, b);
  if (!strcmp(loop, "energy")) result = energy(a);
  if (!strcmp(loop, "hash")) result = hash(a);
  if (!strcmp(loop, "largest")) result = (double)largest(a);
  if (!strcmp(loop, "divide")) divide(a, b);
  if (!strcmp(loop, "differences")) differences(a, b, argc, argc + 1);
  report();
  return result == 42;
}
