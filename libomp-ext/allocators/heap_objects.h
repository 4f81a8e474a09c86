// Door of libomp-ext for liblbhm-heap.so: objects for the blocks of malloc. C functions, as the two are libraries
// apart. Any thread may call them at any time, errno stays as it is, and nothing throws.
#pragma once

#include <stddef.h>

extern "C" {

/// Starts LB-HM. Blocks of so many bytes and more may be objects from now on, and so may mappings; large variables are.
size_t lbhm_heap_begin();
/// A library is about to be loaded.
void lbhm_heap_library_comes();
/// A library may be gone.
void lbhm_heap_library_gone();
/// An object for a block that the code at `caller` asks malloc for, aligned to pages or more, and if `zeroed` is not 0
/// all bytes of it are. Null: it is to come from malloc.
void* lbhm_heap_allocate(size_t bytes, size_t alignment, const void* caller, int zeroed);
/// The same for a block of memkind's interface, which names a tier to begin in (0: the fastest, 255: the slowest, -1:
/// none) and has a mark other than 0. All bytes are 0.
void* lbhm_heap_allocate_in(size_t bytes, size_t alignment, int tier, size_t mark);
/// The mark of the object that begins there; 0: it has none, or is none of ours.
size_t lbhm_heap_mark(const void* address);
/// Gives an object back. 0: it is none of ours, or was given back before.
int lbhm_heap_release(void* address);
/// The bytes of the object that begins there; 0: none of ours.
size_t lbhm_heap_bytes(const void* address);
}
