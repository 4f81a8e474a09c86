#include "libc-ext/process_malloc.h"

#include <atomic>

#include "runtime/interpose/real_function.h"

namespace lbhm::heap {
namespace {

template <class Function>
void look_up(Function*& place, const char* name) {
  // Written at once: threads that come meanwhile find the first entry or the right one.
  if (void* const found = real::next_definition(name))
    std::atomic_ref(place).store(reinterpret_cast<Function*>(found), std::memory_order_relaxed);
}

/// When we are loaded, or by whoever comes earlier.
[[gnu::constructor]] const ProcessMalloc& found() {
  look_up(process.malloc, "malloc");
  look_up(process.calloc, "calloc");
  look_up(process.realloc, "realloc");
  look_up(process.free, "free");
  look_up(process.posix_memalign, "posix_memalign");
  look_up(process.aligned_alloc, "aligned_alloc");
  look_up(process.memalign, "memalign");
  look_up(process.valloc, "valloc");
  look_up(process.pvalloc, "pvalloc");
  look_up(process.malloc_usable_size, "malloc_usable_size");
  return process;
}

// The first entries. No C library is without these functions.

void* first_malloc(std::size_t bytes) { return found().malloc(bytes); }
void* first_calloc(std::size_t count, std::size_t bytes) { return found().calloc(count, bytes); }
void* first_realloc(void* block, std::size_t bytes) { return found().realloc(block, bytes); }
void first_free(void* block) { found().free(block); }
int first_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  return found().posix_memalign(block, alignment, bytes);
}
void* first_aligned_alloc(std::size_t alignment, std::size_t bytes) { return found().aligned_alloc(alignment, bytes); }
void* first_memalign(std::size_t alignment, std::size_t bytes) { return found().memalign(alignment, bytes); }
void* first_valloc(std::size_t bytes) { return found().valloc(bytes); }
void* first_pvalloc(std::size_t bytes) { return found().pvalloc(bytes); }
std::size_t first_usable_size(void* block) { return found().malloc_usable_size(block); }

}  // namespace

constinit ProcessMalloc process{.malloc = first_malloc,
                                .calloc = first_calloc,
                                .realloc = first_realloc,
                                .free = first_free,
                                .posix_memalign = first_posix_memalign,
                                .aligned_alloc = first_aligned_alloc,
                                .memalign = first_memalign,
                                .valloc = first_valloc,
                                .pvalloc = first_pvalloc,
                                .malloc_usable_size = first_usable_size};

}  // namespace lbhm::heap
