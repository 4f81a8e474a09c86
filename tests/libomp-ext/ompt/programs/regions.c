// Six regions, of three lanes but the third; runs on every libomp from version 14 on (no dynamic schedule).
#include <stdio.h>

static double data[1000];

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp atomic
    data[0] += 1;
  }
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 1000; ++i) data[i] += i;
#pragma omp parallel num_threads(1)
  data[0] += 1;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task firstprivate(i)
      data[i] += 1;
    }
  }
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < 1000; ++i) data[i] += 1;
#pragma omp for
    for (int i = 0; i < 1000; ++i) data[i] += 1;
#pragma omp barrier
  }
  printf("%ld %g\n", sum, data[999]);
  return 0;
}
