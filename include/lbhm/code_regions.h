/* What the compiler plugin and the runtime agree on for code regions: the outermost loops of functions, and the
 * functions that OpenMP's parallel constructs become (section 5.1 of the Merchandiser paper, the role of CERE).
 *
 * With LBHM_PLUGIN_REGIONS=1 in the compiler's environment the plugin puts into every module with such regions:
 *   - a section LBHM_REGIONS_SECTION with a record for each of them, without addresses in it: the same bytes can be
 *     read from an object file, a program, or memory;
 *   - a constructor that hands the records of the linked file to LBHM_REGIONS_NAME, looked up with dlsym: a program
 *     without liblbhm in its process runs on as if it were not marked;
 *   - calls of the functions below where a region begins and ends, and where a frame finds itself again after
 *     exceptions and longjmp.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBHM_REGIONS_SECTION "lbhm_regions"
#define LBHM_REGIONS_NAME "lbhm_code_regions_v1"
#define LBHM_REGION_BEGIN_NAME "lbhm_code_region_begin_v1"
#define LBHM_REGION_END_NAME "lbhm_code_region_end_v1"
#define LBHM_REGION_UNWOUND_NAME "lbhm_code_region_unwound_v1"

#define LBHM_REGION_LOOP 0u        /* an outermost loop */
#define LBHM_REGION_PARALLEL 1u    /* the body of a parallel construct, in one thread */
#define LBHM_REGION_WORKSHARING 2u /* the loop of a worksharing construct */

#define LBHM_REGION_LOCAL 1u    /* flag: the function has a name in its own file only */
#define LBHM_REGION_UNMARKED 2u /* flag: there is no one place to enter it; it is listed and never measured */

/* Records follow each other, each `bytes` long and at a multiple of 8. */
struct lbhm_code_region {
  uint32_t bytes;
  uint32_t line; /* 0: unknown */
  uint64_t id;   /* a hash of file, function, which loop, and the loop's structure. Records of a linked file with one */
                 /* id: the same region if they are not LOCAL; of those that are, each later one counts up to the */
                 /* next id that is free */
  uint32_t slot; /* the runtime's; 0 in the file */
  uint16_t kind;
  uint16_t flags;
  char text[8]; /* at least: the source file, the function's symbol, each ended by a zero byte; zero bytes up to `bytes`
                 */
};

/* `first` to `last` (one behind): the records of one linked file. */
void lbhm_code_regions_v1(struct lbhm_code_region* first, struct lbhm_code_region* last);
/* The calling thread enters, leaves the region. `frame` lies in the frame of the function that the region is in: on a
 * stack that grows downwards, whatever began in a frame below it is over. */
void lbhm_code_region_begin_v1(struct lbhm_code_region* region, const void* frame);
void lbhm_code_region_end_v1(struct lbhm_code_region* region, const void* frame);
/* An exception or a longjmp has arrived in the frame; there the loop `region` is under way (null: none). */
void lbhm_code_region_unwound_v1(struct lbhm_code_region* region, const void* frame);

#ifdef __cplusplus
}
#endif
