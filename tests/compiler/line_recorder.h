
#pragma once

/* What the instrumented test programs may call. The recorder stands in the place of liblbhm: it takes all entries and
 * writes at the end what it saw, one line a watched block of memory and one line of sums. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on lines of this block are noted by their number in it. */
void watch(const char* name, const void* block, size_t bytes);
/* Forgets the entries so far: what prepares the blocks is not noted. */
void forget(void);
/* Writes everything to standard output. The sums are those since the last call of start(), on this thread. */
void start(void);
void report(void);

#ifdef __cplusplus
}
#endif
