/* A program that prints what depends on time and on the order of threads, and results beside it. Its argument, two
 * words POLICY RESULT, makes this result wrong under that policy. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 1 << 18, items = 160, most = 64 };

static int wrong(int argc, char** argv, const char* result) {
  const char* policy = getenv("LBHM_POLICY");
  return argc > 2 && policy && strcmp(policy, argv[1]) == 0 && strcmp(result, argv[2]) == 0;
}

int main(int argc, char** argv) {
  unsigned* next = malloc(n * sizeof *next);
  int done[most] = {0}, first = -1;
  double sum = 0, next_dot = 0;
#pragma omp parallel for
  for (unsigned i = 0; i < n; ++i) next[i] = (i * 1664525u + 1013904223u) % n;
  const double begin = omp_get_wtime();
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < items; ++i) {
    unsigned k = i * 7919u % n;
    for (int step = 0; step < 200 + 40 * (i % 5); ++step) k = next[k]; /* waits for memory alone */
    ++done[omp_get_thread_num() % most];
#pragma omp critical
    {
      sum = sum * 0.75 + 1. / (1 + k);
      if (first < 0 && i >= items / 2) first = omp_get_thread_num();
      if (i % 32 == 0)
        printf("row %d: %d found by thread %d\n", i, i / 32 + wrong(argc, argv, "row"), omp_get_thread_num());
      if (omp_get_wtime() - begin >= next_dot) {
        printf("at %d %%\n", i * 100 / items);
        next_dot += 1e-4;
      }
    }
  }
  const double seconds = omp_get_wtime() - begin;
  printf("%s half, thread %d was first\n", first % 2 ? "the second" : "the first", first);
  for (int at = 0; at < omp_get_max_threads() && at < most; ++at) printf("thread %d did %d items\n", at, done[at]);
  printf("sum %.17g of %d items\n", sum, items + wrong(argc, argv, "items"));
  printf("first digits of sum %.17g\n", 1 + sum * 1e-6 + wrong(argc, argv, "digits"));
  printf("Times\n value: %.2g s\n", seconds);
  printf("Results\n value: %d rows\n", n + wrong(argc, argv, "value"));
  printf("took %dm%05.2fs", (int)(seconds * 1e6) / 60, seconds * 1e6 - (int)(seconds * 1e6) / 60 * 60);
  for (int dot = 0; dot < seconds * 1e6; dot += 20) putchar('.');
  printf(" \x1b[32m%d rows/s\x1b[0m, \x1b[32m%d failed\x1b[0m\n", (int)(n / seconds), 3 + wrong(argc, argv, "failed"));
}
