// A region in a region in a region, as deep as the command line says; each has one lane.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int down(int levels) {
  int below = 0;
  if (levels == 0) return 0;
#pragma omp parallel num_threads(1) reduction(+ : below)
  below += 1 + down(levels - 1);
  return below;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  printf("%d\n", down(atoi(words[1])));
  return 0;
}
