// Threads that come, use OpenMP in nested regions, and end. Prints by how many KiB the process grew after the first
// quarter of them.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) return 0;
  fclose(file);
  return resident * 4;
}

static void* work(void* unused) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(1)
    __asm__ volatile("");
  }
  return unused;
}

int main(void) {
  const int pairs = 8000;
  long first = 0;
  omp_set_max_active_levels(2);
  for (int i = 0; i < pairs; ++i) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    if (i == pairs / 4) first = resident_kib();
  }
  printf("%ld\n", resident_kib() - first);
  return 0;
}
