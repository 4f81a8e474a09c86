// For ThreadSanitizer: no race, but for one if there is an argument. Only Archer knows how OpenMP synchronises.
#include <stdio.h>

int main(int count, char** words) {
  int visits = 0, tasks = 0;
  double data[64] = {0};
  (void)words;
  for (int repetition = 0; repetition < 20; ++repetition) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int i = 0; i < 64; ++i) data[i] += i;
#pragma omp for
      for (int i = 0; i < 64; ++i) data[63 - i] += i;
#pragma omp critical
      ++visits;
#pragma omp single
#pragma omp task
      ++tasks;
    }
  }
  if (count > 1) {
#pragma omp parallel num_threads(2)
    ++visits;
  }
  printf("%d %g\n", tasks, data[63]);
  return 0;
}
