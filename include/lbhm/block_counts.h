/* What the compiler plugin and the runtime agree on for counts of basic blocks (Merchandiser, section 5.2).
 *
 * A counter belongs to the basic blocks of one function that always run equally often. The plugin puts into every
 * module (translation unit) that has code:
 *   - a hidden thread-local array of 64-bit counts, one a counter: how often its blocks began on this thread;
 *   - a section LBHM_BLOCKS_SECTION with a `struct lbhm_block` for each counter;
 *   - a constructor and a destructor that hand a `struct lbhm_blocks` to the two functions below, looked up with dlsym:
 *     a program without liblbhm in its process runs on and counts for nobody.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBHM_BLOCKS_SECTION "lbhm_blocks"
#define LBHM_BLOCKS_NAME "lbhm_blocks_v1"
#define LBHM_BLOCKS_GONE_NAME "lbhm_blocks_gone_v1"

/* Whatever the input, each call of the function runs the block `per_call` times: neither a condition nor a loop around
 * it depends on arguments or memory. Calls that do not return normally (exceptions, exit, longjmp) are not meant. */
#define LBHM_BLOCK_INPUT_INDEPENDENT 1u
#define LBHM_BLOCK_ENTRY 2u /* counts the calls of the function */

/* What is known of a counter when the program is compiled; all costs are of one execution of all of its blocks. */
struct lbhm_block {
  uint64_t function;   /* xxh3 (64 bits) of the function's name */
  uint64_t per_call;   /* executions in a call of the function, if input-independent; else 0 */
  uint32_t name;       /* where the function's name begins in `names` */
  uint32_t first_line; /* in the function's source file; 0 without debug information */
  uint32_t last_line;
  uint32_t instructions; /* that a processor dispatches */
  uint32_t slots;        /* dispatch slots, more where units are the limit (instrumentation.h) */
  uint32_t bytes;        /* loaded and stored, the stack and ranges of unknown size left out */
  uint32_t depth;        /* loops around it; 0: none */
  uint32_t flags;        /* LBHM_BLOCK_... */
};

/* A module. It stays where it is until lbhm_blocks_gone_v1. */
struct lbhm_blocks {
  uint64_t module; /* a hash of its code: another build of the same source has the same, changed code another */
  uint64_t count;  /* of its counters */
  const struct lbhm_block* blocks;
  const char* names;         /* of the functions, each ended by a zero byte */
  const char* source;        /* the file, without its folder */
  uint64_t* (*counts)(void); /* the calling thread's array */
};

void lbhm_blocks_v1(const struct lbhm_blocks* module);
/* The module is about to be unloaded, or the process is ending. */
void lbhm_blocks_gone_v1(const struct lbhm_blocks* module);

#ifdef __cplusplus
}
#endif
