/* Only `seen` may be noted; locals, thread-locals, constants and opted-out functions are left alone. */
#include "tests/compiler/programs/blocks.h"

static const long table[64] = {1, 2, 3};
static _Thread_local long mine[64];

__attribute__((noinline, annotate("lbhm_uninstrumented"))) void unseen(long* a) {
  for (long i = 0; i < 64; ++i) a[i] = i;
}

NOINLINE long look(volatile long* seen, long key) {
  volatile long local[64];
  for (long i = 0; i < 64; ++i) local[i] = ((volatile const long*)table)[i];
  for (long i = 0; i < 64; ++i) ((volatile long*)mine)[i] = local[i];
  seen[0] = 1;
  return local[key];
}

int main(void) {
  long* seen = block("seen", 512);
  long* hidden = block("unseen", 512);
  watch("table", table, sizeof table);
  watch("mine", mine, sizeof mine);
  unseen(hidden);
  long result = look(seen, 3);
  report();
  return result == 7;
}
