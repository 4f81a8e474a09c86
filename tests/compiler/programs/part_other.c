/* WRITE is the name of the function. With INDEXED it goes through an index: the identity. */
#ifdef INDEXED
#include "tests/compiler/programs/blocks.h"
#endif

void WRITE(long* a, long count) {
#ifdef INDEXED
  int* index = block("index", 400);
  for (int i = 0; i < 80; ++i) index[i] = i;
  for (long i = 0; i < count; i += 8) a[index[i]] = i;
#else
  for (long i = 0; i < count; i += 8) a[i] = i;
#endif
}
