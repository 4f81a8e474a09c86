/* memcpy, memmove and memset of sizes that the compiler does not know, and a copy of 24 bytes. */
#include "tests/compiler/programs/blocks.h"

struct small {
  long a, b, c;
};

NOINLINE void copy(char* to, const char* from, size_t bytes) { memcpy(to + 64, from, bytes); }
NOINLINE void shift(char* block, size_t bytes) { memmove(block, block + 128, bytes); }
NOINLINE void set(char* to, size_t bytes) { memset(to + 1, 1, bytes); }
NOINLINE void assign(struct small* to, const struct small* from) { *to = *from; }

int main(void) {
  char* to = block("to", 1024);
  char* from = block("from", 1024);
  char* shifted = block("shifted", 1024);
  char* cleared = block("cleared", 1024);
  struct small* target = block("target", 128);
  struct small* source = block("source", 128);
  volatile size_t bytes = 256;
  copy(to, from, bytes);
  shift(shifted, bytes);
  set(cleared, bytes);
  assign(target + 1, source + 2); /* bytes 24 to 48, 48 to 72 */
  report();
}
