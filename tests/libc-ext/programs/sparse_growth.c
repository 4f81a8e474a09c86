// A table of argv[1] MiB that is hardly touched grows by realloc. Prints "100, small" if that touched little of it.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { places = 100 };

int main(int argc, char** argv) {
  const size_t bytes = (size_t)(argc > 1 ? atol(argv[1]) : 1024) << 20;
  char* table = calloc(bytes, 1);
  if (!table) return 1;
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < places; ++i) table[(size_t)i * (bytes / places)] = 1;
  void* const behind = malloc(100);  // growing in place would be nothing
  for (int i = 0; i < 3; ++i) {
    table = realloc(table, bytes + ((size_t)(i + 1) * bytes / 16));
    if (!table) return 1;
  }
  for (int i = 0; i < places; ++i) sum += table[(size_t)i * (bytes / places)];
  sum += table[bytes + 5] + table[bytes / places - 1];
  free(table);
  free(behind);
  // Not getrusage: what a parent had before exec counts there.
  long most = 0;
  char line[256];
  FILE* const status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld kB", &most);
  printf("%ld, %s\n", sum, most > 0 && most < 200L << 10 ? "small" : "large");
  return 0;
}
