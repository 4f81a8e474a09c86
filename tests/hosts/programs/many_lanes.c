// Asks for as many lanes as the command line says, and tells how much memory that takes: many_lanes LANES MOST_MIB.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most that was resident; getrusage also tells of the process before exec.
static long most_mib(void) {
  char line[256];
  long kib = 0;
  FILE* file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "VmHWM:", 6) == 0) kib = atol(line + 6);
  }
  if (file) fclose(file);
  return kib / 1024;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  int lanes = 0;
#pragma omp parallel num_threads(atoi(words[1])) reduction(+ : lanes)
  lanes += 1;
  printf("%d lanes, %s\n", lanes, most_mib() <= atol(words[2]) ? "little memory" : "much memory");
  return 0;
}
