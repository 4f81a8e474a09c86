// OpenMP's routines for C and C++, and for Fortran those that libomp has under a name of their own (trailing
// underscore, arguments by reference).
#include <omp.h>

#include "libomp-ext/allocators/allocate.h"
#include "runtime/interpose/export.h"

using namespace lbhm::allocators;

static omp_allocator_handle_t public_handle(Handle handle) { return static_cast<omp_allocator_handle_t>(handle); }

/// Its presence tells omp_traits.h that our traits are understood.
LBHM_EXPORT int lbhm_is_loaded() { return 1; }

LBHM_EXPORT void* omp_alloc(std::size_t size, omp_allocator_handle_t allocator) {
  return fast_allocate(allocator, size);
}

LBHM_EXPORT void* omp_aligned_alloc(std::size_t alignment, std::size_t size, omp_allocator_handle_t allocator) {
  return allocate(allocator, {size, alignment});
}

LBHM_EXPORT void* omp_calloc(std::size_t count, std::size_t size, omp_allocator_handle_t allocator) {
  return allocate_array(allocator, 0, count, size);
}

LBHM_EXPORT void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size,
                                     omp_allocator_handle_t allocator) {
  return allocate_array(allocator, alignment, count, size);
}

LBHM_EXPORT void* omp_realloc(void* address, std::size_t size, omp_allocator_handle_t allocator,
                              omp_allocator_handle_t) {
  return reallocate(address, size, allocator);
}

LBHM_EXPORT void omp_free(void* address, omp_allocator_handle_t allocator) { fast_release(address, allocator); }

LBHM_EXPORT omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                                      omp_alloctrait_t traits[]) {
  return public_handle(init_allocator(space, count, traits));
}

LBHM_EXPORT void omp_destroy_allocator(omp_allocator_handle_t allocator) { destroy_allocator(allocator); }

LBHM_EXPORT void omp_set_default_allocator(omp_allocator_handle_t allocator) { choose_default_allocator(allocator); }

LBHM_EXPORT omp_allocator_handle_t omp_get_default_allocator() { return public_handle(default_allocator()); }

LBHM_EXPORT omp_allocator_handle_t omp_init_allocator_(const omp_memspace_handle_t* space, const int* count,
                                                       omp_alloctrait_t traits[]) {
  return public_handle(init_allocator(*space, *count, traits));
}

LBHM_EXPORT void omp_destroy_allocator_(const omp_allocator_handle_t* allocator) { destroy_allocator(*allocator); }

LBHM_EXPORT void omp_set_default_allocator_(const omp_allocator_handle_t* allocator) {
  choose_default_allocator(*allocator);
}

LBHM_EXPORT omp_allocator_handle_t omp_get_default_allocator_() { return public_handle(default_allocator()); }

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

LBHM_EXPORT void __kmpc_free(int, void* address, Handle allocator) { fast_release(address, allocator); }

LBHM_EXPORT Handle __kmpc_init_allocator(int gtid, Handle space, int count, omp_alloctrait_t traits[]) {
  return init_allocator(space, count, traits, gtid);
}

LBHM_EXPORT void __kmpc_destroy_allocator(int, Handle allocator) { destroy_allocator(allocator); }

LBHM_EXPORT void __kmpc_set_default_allocator(int gtid, Handle allocator) { choose_default_allocator(allocator, gtid); }

LBHM_EXPORT Handle __kmpc_get_default_allocator(int gtid) { return default_allocator(gtid); }

using namespace lbhm::allocators;

LBHM_EXPORT void* GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  return allocate(allocator, {size, alignment});
}

LBHM_EXPORT void GOMP_free(void* address, std::uintptr_t allocator) { fast_release(address, allocator); }
