// What clang calls for the allocate clause and directive, and libomp itself for OMP_ALLOCATOR. `gtid` is libomp's
// number of the calling thread.
#include <omp.h>

#include "libomp-ext/allocators/fast_path.h"
#include "libomp-ext/real/export.h"

using namespace lbhm::allocators;

LBHM_EXPORT void* __kmpc_alloc(int gtid, std::size_t size, Handle allocator) {
  return fast_allocate(allocator, size, gtid);
}

LBHM_EXPORT void* __kmpc_aligned_alloc(int gtid, std::size_t alignment, std::size_t size, Handle allocator) {
  return allocate(allocator, {size, alignment}, gtid);
}

LBHM_EXPORT void* __kmpc_calloc(int gtid, std::size_t count, std::size_t size, Handle allocator) {
  return allocate_array(allocator, 0, count, size, gtid);
}

LBHM_EXPORT void* __kmpc_realloc(int gtid, void* address, std::size_t size, Handle allocator, Handle) {
  return reallocate(address, size, allocator, gtid);
}

LBHM_EXPORT void __kmpc_free(int, void* address, Handle) { fast_release(address); }

LBHM_EXPORT Handle __kmpc_init_allocator(int, Handle space, int count, omp_alloctrait_t traits[]) {
  return init_allocator(space, count, traits);
}

LBHM_EXPORT void __kmpc_destroy_allocator(int, Handle allocator) { destroy_allocator(allocator); }

LBHM_EXPORT void __kmpc_set_default_allocator(int gtid, Handle allocator) { choose_default_allocator(allocator, gtid); }

LBHM_EXPORT Handle __kmpc_get_default_allocator(int gtid) { return default_allocator(gtid); }
