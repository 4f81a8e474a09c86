// Asks for as many lanes as the command line says, and tells how much memory that takes: many_lanes LANES MOST_MIB.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  int lanes = 0;
#pragma omp parallel num_threads(atoi(words[1])) reduction(+ : lanes)
  lanes += 1;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%d lanes, %s\n", lanes, usage.ru_maxrss / 1024 <= atol(words[2]) ? "little memory" : "much memory");
  return 0;
}
