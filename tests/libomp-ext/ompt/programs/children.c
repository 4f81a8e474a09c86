// Forks children that use OpenMP, between regions.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static long lanes(void) {
  long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  ++sum;
  return sum;
}

int main(void) {
  long sum = 0;
  int failed = 0;
  for (int i = 0; i < 20; ++i) {
    sum += lanes();
    const pid_t child = fork();
    if (child == 0) _exit(lanes() == 3 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  printf("%ld lanes, %d children failed\n", sum, failed);
  return 0;
}
