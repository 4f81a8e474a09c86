/* What the compiler plugin and the emulated machine agree on.
 *
 * The plugin emits, into every module that it instruments:
 *   - a hidden thread-local `struct lbhm_emu_thread` (zero at start: the first use goes to the slow path);
 *   - a hidden refill function, which looks up LBHM_EMU_REFILL_NAME with dlsym: if liblbhm is in the process it is
 *     called; if not, `next` goes back to `sink`, and the program runs as if it were not instrumented;
 *   - a section LBHM_EMU_SECTION with a `struct lbhm_emu_module`, by which the lbhm command recognises the program.
 * An instrumented program therefore needs no library of ours to link or to run.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBHM_EMU_ABI 1
#define LBHM_EMU_SECTION ".lbhm.module"
#define LBHM_EMU_REFILL_NAME "lbhm_emu_refill_v1"
#define LBHM_EMU_RANGE_NAME "lbhm_emu_range_v1"

/* An entry of the buffer: one access to a cache line other than the one that the same site touched last. */
#define LBHM_EMU_ADDRESS_MASK 0x0000ffffffffffffull /* bits 0-47 */
#define LBHM_EMU_WRITE (1ull << 48)                 /* store, atomic read-modify-write */
#define LBHM_EMU_SERIAL (1ull << 49)                /* a load whose address comes from its own earlier result */
#define LBHM_EMU_SITE_SHIFT 50                      /* bits 50-63: number of the access site, hashed to 14 bits */
/* An entry of 0 is to be ignored (a lane of a masked access that was off). */

#define LBHM_EMU_SINK 256 /* at most this many entries between two checks of `limit` */

/* One a thread and instrumented module. Between calls the plugin may keep the fields in registers; it writes them
 * back before every call that is not an intrinsic and before every return. */
struct lbhm_emu_thread {
  uint64_t* next;          /* where the next entry goes */
  uint64_t* limit;         /* entries may be written while next < limit */
  uint64_t instructions;   /* sums since the thread began; the emulator reads differences */
  uint64_t accesses;       /* loads and stores, filtered ones included */
  uint64_t vectors;        /* vector instructions */
  uint64_t branches;       /* conditional branches */
  uint64_t mispredictions; /* of a last-outcome predictor a branch site */
  void* owner;             /* the emulator's; null until the first refill */
  uint64_t sink[LBHM_EMU_SINK];
};

struct lbhm_emu_module {
  uint32_t abi;     /* LBHM_EMU_ABI */
  uint32_t sites;   /* access sites instrumented in this module */
  uint32_t skipped; /* memory instructions left alone (allocas, thread-locals, constants) */
  uint32_t reserved;
};

/* Takes the entries from the buffer and makes room for at least LBHM_EMU_SINK more. */
void lbhm_emu_refill_v1(struct lbhm_emu_thread* thread);
/* An access to `bytes` bytes from `address` (memcpy, memset, memmove): flags as in an entry, without the address. */
void lbhm_emu_range_v1(struct lbhm_emu_thread* thread, const void* address, uint64_t bytes, uint64_t flags);

#ifdef __cplusplus
}
#endif
