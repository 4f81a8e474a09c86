// OpenMP's routines for C and C++, and for Fortran those that libomp has under a name of their own (trailing
// underscore, arguments by reference).
#include <omp.h>

#include "libomp-ext/allocators/fast_path.h"
#include "libomp-ext/real/export.h"

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

LBHM_EXPORT void omp_free(void* address, omp_allocator_handle_t) { fast_release(address); }

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
