// What gcc calls for the allocate clause; in programs that are linked with libomp these come in front of libomp's.
#include "libomp-ext/allocators/fast_path.h"
#include "libomp-ext/real/export.h"

using namespace lbhm::allocators;

LBHM_EXPORT void* GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  return allocate(allocator, {size, alignment});
}

LBHM_EXPORT void GOMP_free(void* address, std::uintptr_t) { fast_release(address); }
