// Door of libomp-ext for liblbhm-heap.so: objects for the blocks of malloc. C functions, as the two are libraries
// apart. Any thread may call them at any time, errno stays as it is, and nothing throws.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Starts LB-HM. Blocks of so many bytes and more may be objects from now on, and so may mappings; large variables are.
size_t lbhm_heap_begin();
/// A library is about to be loaded.
void lbhm_heap_library_comes();
/// A library may be gone.
void lbhm_heap_library_gone();
/// None of malloc's blocks is an object: the program has an allocator of its own, in that file; empty: in itself. For
/// the report.
void lbhm_heap_own_allocator(const char* file);
/// An object for a block that the code at `caller` asks malloc for, aligned to pages or more, and if `zeroed` is not 0
/// all bytes of it are. Null: it is to come from malloc.
void* lbhm_heap_allocate(size_t bytes, size_t alignment, const void* caller, int zeroed);
/// The same for a block of memkind's interface, which names a tier to begin in (0: the fastest, 255: the slowest, -1:
/// none) and has a mark other than 0. All bytes are 0.
void* lbhm_heap_allocate_in(size_t bytes, size_t alignment, int tier, size_t mark);
/// The mark of the object that begins there; 0: it has none, or is none of ours.
size_t lbhm_heap_mark(const void* address);
/// The end of the object with a mark that has the address somewhere inside, and the mark; null: there is none. Looks
/// through all blocks.
const void* lbhm_heap_marked_around(const void* address, size_t* mark);
/// Adds the bytes of each object with a mark below `marks`, and those of its pages, to the sums of its mark.
void lbhm_heap_add_marked(size_t* bytes, size_t* pages, size_t marks);
/// Gives an object back. 0: it is none of ours, or was given back before.
int lbhm_heap_release(void* address);
/// The bytes of the object that begins there; 0: none of ours.
size_t lbhm_heap_bytes(const void* address);

// Small blocks.

/// A site may have arenas when it has asked for so many bytes in small blocks; larger than any: none has. `turns`: 1 in
/// virtual time, else 0; there `lanes_rest` is called between regions, while no lane runs that has an arena.
size_t lbhm_heap_arena_minimum(void (*lanes_rest)(), int* turns);
/// Lanes of the region that the calling thread is in; 1 outside of regions.
unsigned lbhm_heap_team_size();
/// Where a return address stands on the stack.
struct lbhm_heap_call {
  const void* at;
  const void* address;
};
/// The calls that led to the code at `caller`, which calls malloc: how many, and their site. Less than 1: no arena is
/// for them; nothing that this caller asks for can ever be an arena's, or nothing can here now, or their return
/// addresses do not stand where they are expected.
// NOLINTNEXTLINE(performance-enum-size): C has no other
enum { LBHM_HEAP_NOT_NOW = 0, LBHM_HEAP_NEVER = -1, LBHM_HEAP_UNREADABLE = -2 };
int lbhm_heap_calls(const void* caller, struct lbhm_heap_call* calls, int most, uint64_t* site);
/// Zeroed pages of an arena of that site, aligned to their size, which is a power of two. Null: there are none.
void* lbhm_heap_arena(size_t bytes, uint64_t site);
/// Gives them back; no byte of them is in use.
void lbhm_heap_arena_gone(void* pages);
/// Of libc-ext, for each thread; null at first.
extern __thread void* lbhm_heap_of_thread __attribute__((tls_model("initial-exec")));
}
