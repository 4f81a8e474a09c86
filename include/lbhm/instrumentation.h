/* What the compiler plugin and the emulated machine agree on.
 *
 * The plugin emits, into every module that it instruments:
 *   - a hidden thread-local `struct lbhm_emu_thread` (zero at start: the first use goes to the slow path);
 *   - a hidden refill function, which looks up LBHM_EMU_REFILL_NAME with dlsym: if liblbhm is in the process it is
 *     called; if not, `next` goes back to `sink`, and the program runs as if it were not instrumented; likewise hidden
 *     functions for the other names below;
 *   - a section LBHM_EMU_SECTION with a `struct lbhm_emu_module`, by which the lbhm command recognises the program;
 *   - a section lbhm_sites with a `struct lbhm_emu_site` for every access site of which there is something to say, and
 *     a constructor that hands them to LBHM_EMU_MODULE_NAME.
 * An instrumented program therefore needs no library of ours to link or to run.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBHM_EMU_ABI 2
#define LBHM_EMU_SECTION ".lbhm.module"
#define LBHM_EMU_REFILL_NAME "lbhm_emu_refill_v2"
#define LBHM_EMU_RANGE_NAME "lbhm_emu_range_v2"
#define LBHM_EMU_MODULE_NAME "lbhm_emu_module_v2"
#define LBHM_EMU_ORDER_NAME "lbhm_emu_order_v2"
#define LBHM_EMU_ORDER_END_NAME "lbhm_emu_order_end_v2"

/* An entry of the buffer: one access to a cache line other than the one that the same site touched last, or a
 * mispredicted branch. */
#define LBHM_EMU_ADDRESS_MASK 0x0000ffffffffffffull /* bits 0-47 */
#define LBHM_EMU_WRITE (1ull << 48)                 /* store, atomic read-modify-write */
#define LBHM_EMU_BRANCH (1ull << 49)                /* a mispredicted branch: there is no address */
#define LBHM_EMU_SITE_SHIFT 50                      /* bits 50-63: number of the access site, hashed to 14 bits; of a */
                                                    /* branch: the load that its condition comes from, 0 if none */
#define LBHM_EMU_LOOK (1ull << 63) /* of a range of 0 bytes, before an order: a load that may wait for a store */
/* An entry of 0 is to be ignored (a lane of a masked access that was off). */

#define LBHM_EMU_SITES (1u << 14) /* numbers of sites; 0 is none */

#define LBHM_EMU_SINK 256 /* at most this many entries between two checks of `limit` */

#define LBHM_EMU_PREDICTOR 4096 /* bytes of the branch predictor; only the plugin's code looks into them */

#define LBHM_EMU_ADDITION 4 /* cycles that the plugin counts for a floating-point addition in a chain */

/* One a thread and instrumented module. Between calls the plugin may keep the fields in registers; it writes them
 * back before every call that is not an intrinsic and before every return. */
struct lbhm_emu_thread {
  uint64_t* next;        /* where the next entry goes */
  uint64_t* limit;       /* entries may be written while next < limit */
  uint64_t instructions; /* sums since the thread began; the emulator reads differences */
  uint64_t slots;        /* dispatch slots: instructions, or more where units (loads, stores, dividers) are the limit */
  uint64_t chain;        /* cycles of loops that a chain of dependent operations or the divider limits; their slots */
                         /* are not counted */
  uint64_t additions;    /* floating-point additions in those chains; LBHM_EMU_ADDITION cycles of it each */
  uint64_t units;        /* quarters of cycles in which units are busy that a wider core does not have more of */
  uint64_t accesses;     /* loads and stores, filtered ones included */
  uint64_t vectors;      /* vector instructions */
  uint64_t branches;     /* conditional branches */
  uint64_t mispredictions; /* those that the predictor got wrong; each has an entry, too */
  uint64_t history;        /* of the predictor: the last outcomes */
  void* owner;             /* the emulator's; null until the first refill */
  uint8_t predictor[LBHM_EMU_PREDICTOR];
  uint64_t sink[LBHM_EMU_SINK];
};

struct lbhm_emu_module {
  uint32_t abi;     /* LBHM_EMU_ABI */
  uint32_t sites;   /* access sites instrumented in this module */
  uint32_t skipped; /* memory instructions left alone (allocas, thread-locals, constants) */
  uint32_t reserved;
};

#define LBHM_EMU_SITE_NONTEMPORAL 1u /* a store past the caches: no read for ownership */

struct lbhm_emu_site {
  uint32_t number;       /* as in an entry */
  uint32_t address_from; /* the site of the load that its addresses come from; its own number in a chase; 0: none */
  uint32_t flags;
};

/* Takes the entries from the buffer and makes room for at least LBHM_EMU_SINK more. */
void lbhm_emu_refill_v2(struct lbhm_emu_thread* thread);
/* An access to `bytes` bytes from `address` (memcpy, memset, memmove): flags as in an entry, without the address. */
void lbhm_emu_range_v2(struct lbhm_emu_thread* thread, const void* address, uint64_t bytes, uint64_t flags);
/* The sites of a module; they stay where they are until the process ends. */
void lbhm_emu_module_v2(const struct lbhm_emu_site* first, const struct lbhm_emu_site* last);
/* Around an operation whose order matters (an atomic one whose result is used, one that is volatile, acquires or
 * releases): threads come to it in the order of their clocks. */
void lbhm_emu_order_v2(struct lbhm_emu_thread* thread);
void lbhm_emu_order_end_v2(struct lbhm_emu_thread* thread);

#ifdef __cplusplus
}
#endif
