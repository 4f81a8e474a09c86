/* LB-HM: load-balance-aware placement on machines with several memories. C and C++.
 *
 * A program allocates its large objects through OpenMP's allocators (omp_traits.h) and says before a parallel region
 * which of them the region works on:
 *
 *     void *objects[] = {A, B, C, NULL};
 *     int sizes[] = {a_bytes, b_bytes, c_bytes};
 *     LB_HM_config(objects, sizes);
 *     #pragma omp parallel
 *     ...
 *
 * The functions are weak references: a program that is not linked with -llbhm and runs without `lbhm run` finds them
 * null. To run in both cases, ask first: `if (LB_HM_config) LB_HM_config(objects, sizes);`
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef LBHM_WEAK
#define LBHM_WEAK __attribute__((weak))
#endif

/* Plans the placement for the parallel regions that follow, until the next call, and moves pages before it returns.
 *   objects  NULL-terminated list of pointers (void *[]) to the first byte of each object; managed ones can move.
 *   sizes    their sizes in bytes, in the same order; -1 asks LB-HM's registry (an int cannot hold 2 GiB).
 * Returns an opaque plan handle, valid until the next call from the same place, or NULL: see lbhm_last_error().
 * Call it from the thread that starts the region. Source: the paper, section 4, User API. */
LBHM_WEAK void* LB_HM_config(void* objects, int* sizes);

struct lbhm_object {
  void* address;
  size_t bytes;     /* 0 asks the registry */
  const char* name; /* for reports; may be NULL */
};
typedef struct lbhm_object lbhm_object;

/* The 64-bit form of LB_HM_config. */
LBHM_WEAK void* lbhm_config(const lbhm_object* objects, size_t count);

/* What kind of input the calling thread's next call of LB_HM_config or lbhm_config is for: the same call may work on
 * inputs that are different work, and each kind is learnt and planned for by itself. Counts for one call. Without it
 * kinds are told apart by the sizes of the objects. A call has 64 names at most.
 *   name     its first 63 bytes tell kinds apart; NULL or "" takes back what was said.
 *   number   the same as its decimal digits for a name. */
LBHM_WEAK void lbhm_phase(const char* name);
LBHM_WEAK void lbhm_phase_number(long long number);

/* The program goes over to another phase, in which it uses other objects, or uses them in another way: all that it has
 * may move now. For programs that do not list the objects of their regions (LB_HM_config). Inside of parallel regions
 * a call does nothing. The same as h2m_phase_transition of H2M.
 *   name     its first 63 bytes tell phases apart. */
LBHM_WEAK void lbhm_phase_transition(const char* name);

/* Which memory: by its number, 0 is the fastest, or by what it is good at. */
#define LBHM_LARGE_CAPACITY 255
#define LBHM_HIGH_BANDWIDTH 256
#define LBHM_LOW_LATENCY 257

/* Moves an object there, whatever its allocator says of moving; the program waits. What of it is not touched yet will
 * appear there. Policies may move it again.
 *   object   its first byte.
 * Returns 0, or -1: it is no object, the call comes from a parallel region, or a part stayed; see lbhm_last_error(). */
LBHM_WEAK int lbhm_move(void* object, int memory);

/* What the calling thread works at from here on, until its next call or the end of the parallel region: for regions
 * that deal their work to threads anew each time, where a thread is not the same task again. Accesses and times are
 * learnt by the task's name then, whichever thread works at it, and the tasks get fast memory so that the region ends
 * earliest. Outside of parallel regions, and in regions inside of others, a call does nothing. A call reads the clock
 * and the counters: 0.4 us on an emulated machine.
 *   name     tells tasks of one region apart; NULL or "": what the thread does from here on is its own again.
 *            A process has 65536 names at most, and a thread changes 65536 times in a region; beyond that a call
 *            changes nothing.
 *   number   the same as its decimal digits for a name. */
LBHM_WEAK void lbhm_task(const char* name);
LBHM_WEAK void lbhm_task_number(long long number);

/* The last failure of a call on this thread, one sentence; "" if there was none. */
LBHM_WEAK const char* lbhm_last_error(void);

#ifdef __cplusplus
}
#endif
