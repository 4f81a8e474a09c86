/* What the compiler plugin and the runtime agree on for access patterns.
 *
 * The plugin puts into every module whose loops it has looked at:
 *   - a section LBHM_PATTERNS_SECTION with one JSON text, ended by a zero byte (docs/patterns.md, schema
 *     lbhm.patterns.module/1); when modules are linked the section holds the texts of all;
 *   - a hidden byte, the switch, which is 0 at first, one for all modules of a linked file;
 *   - a constructor that hands texts and switch to LBHM_PATTERNS_NAME, looked up with dlsym: a program without liblbhm
 *     in its process runs on with the switch off;
 *   - in front of the outermost loop in which the first address of an access does not change ("base": an array, a row
 * of a double**, the head of a list) a look at the switch, and if it is on, a call of LBHM_NOTE_NAME.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBHM_PATTERNS_SECTION "lbhm_patterns"
#define LBHM_PATTERNS_NAME "lbhm_patterns_v1"
#define LBHM_NOTE_NAME "lbhm_note_v1"

#define LBHM_BASE_BITS 20 /* of a base's number within its module; the bits above are the module's id */

/* `first` to `last` (one behind): the texts of one linked file. They and the switch stay until the process ends or the
 * library is unloaded. */
void lbhm_patterns_v1(const char* first, const char* last, unsigned char* noting);
/* The calling thread begins a loop whose base `base` (module id << LBHM_BASE_BITS | number) lies at `address`. */
void lbhm_note_v1(uint64_t base, const void* address);

/* Trace mode (LBHM_PLUGIN_TRACE=1 in the compiler's environment), for checks of the patterns: the program calls these
 * itself and is linked with a tracer (bench/trace). `access`: module id << LBHM_BASE_BITS | position in the text;
 * position LBHM_NO_PATTERN for accesses outside of loops. */
#define LBHM_TRACE_NAME "lbhm_trace_v1"
#define LBHM_TRACE_BEGIN_NAME "lbhm_trace_begin_v1"
#define LBHM_NO_PATTERN ((1u << LBHM_BASE_BITS) - 1)

/* The access is executed at `address`. */
void lbhm_trace_v1(uint64_t access, const void* address);
/* The loop in which the address of the access moves begins. */
void lbhm_trace_begin_v1(uint64_t access);

#ifdef __cplusplus
}
#endif
