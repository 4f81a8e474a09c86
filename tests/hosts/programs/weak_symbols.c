// A program without OpenMP that would use it if it were there.
#include <stdio.h>

extern double omp_get_wtime(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

int main(void) {
  // The usual question is about a function that LB-HM does not stand in front of.
  if (omp_get_max_threads && omp_get_wtime) printf("%f\n", omp_get_wtime());
  puts("no OpenMP");
  return 0;
}
