/* One program of two files and a shared library. */
#include "tests/compiler/programs/blocks.h"

void write_in_other_file(long* a, long count);
void write_in_library(long* a, long count);

int main(void) {
  long* here = block("here", 640);
  long* other = block("other", 640);
  long* library = block("library", 640);
  for (long i = 0; i < 80; i += 8) here[i] = i;
  write_in_other_file(other, 80);
  write_in_library(library, 80);
  report();
}
