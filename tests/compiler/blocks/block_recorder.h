
#pragma once

/* What the test programs may call. The recorder stands in the place of liblbhm: it adds up the counts of all threads
 * and writes a line for each counter when its module ends. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread is about to end: its counts are added now. The one that ends the program need not call it. */
void keep_counts(void);

#ifdef __cplusplus
}
#endif
