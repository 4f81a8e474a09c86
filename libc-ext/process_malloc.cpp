#include "libc-ext/process_malloc.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace lbhm::heap {

alignas(early_page) constinit char early_blocks[early_pages * early_page]{};

namespace {

constinit std::atomic<std::size_t> early_used{0};  // pages
/// dlsym takes memory for the text of an error, and frees that of the last one.
constinit std::atomic<bool> looking_up{false};

void* early(std::size_t bytes) {
  const std::size_t pages = bytes / early_page + 1;
  const std::size_t first = pages > early_pages ? early_pages : early_used.fetch_add(pages);
  if (first + pages <= early_pages) return early_blocks + first * early_page;
  errno = ENOMEM;
  return nullptr;
}

template <class Function>
void look_up(Function*& place, const char* name) {
  // Written at once: threads that come meanwhile find the first entry or the right one.
  if (void* const found = dlsym(RTLD_NEXT, name))
    std::atomic_ref(place).store(reinterpret_cast<Function*>(found), std::memory_order_relaxed);
}

/// False: it is under way, and asks for memory itself. The first call comes from the loader, before there are threads.
bool found() {
  if (looking_up.exchange(true)) return false;
  look_up(process.free, "free");  // before anything can leave the text of an error
  look_up(process.malloc, "malloc");
  look_up(process.calloc, "calloc");
  look_up(process.realloc, "realloc");
  look_up(process.posix_memalign, "posix_memalign");
  look_up(process.aligned_alloc, "aligned_alloc");
  look_up(process.memalign, "memalign");
  look_up(process.valloc, "valloc");
  look_up(process.pvalloc, "pvalloc");
  look_up(process.malloc_usable_size, "malloc_usable_size");
  return true;
}

// The first entries. No C library is without these functions; where one were, its entry would give no memory.

void* first_malloc(std::size_t bytes) { return found() ? process.malloc(bytes) : early(bytes); }
void* first_calloc(std::size_t count, std::size_t bytes) {
  if (found()) return process.calloc(count, bytes);
  std::size_t total = 0;
  return __builtin_mul_overflow(count, bytes, &total) ? nullptr : early(total);
}
void* first_realloc(void* block, std::size_t bytes) {
  if (found()) return process.realloc(block, bytes);
  return block == nullptr ? early(bytes) : nullptr;
}
void first_free(void* block) {
  if (found()) process.free(block);
}
int first_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  return found() ? process.posix_memalign(block, alignment, bytes) : ENOMEM;
}
void* first_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return found() ? process.aligned_alloc(alignment, bytes) : nullptr;
}
void* first_memalign(std::size_t alignment, std::size_t bytes) {
  return found() ? process.memalign(alignment, bytes) : nullptr;
}
void* first_valloc(std::size_t bytes) { return found() ? process.valloc(bytes) : nullptr; }
void* first_pvalloc(std::size_t bytes) { return found() ? process.pvalloc(bytes) : nullptr; }
std::size_t first_usable_size(void* block) { return found() ? process.malloc_usable_size(block) : 0; }

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
