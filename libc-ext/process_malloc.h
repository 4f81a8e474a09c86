// The allocator that the process has without us: glibc's, or another one that is linked or preloaded behind ours.
#pragma once

#include <cstddef>

namespace lbhm::heap {

/// Before the first call of any of them each looks up all, and then does what was asked. So there is no question on the
/// way of a small block.
struct ProcessMalloc {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*valloc)(std::size_t);
  void* (*pvalloc)(std::size_t);
  std::size_t (*malloc_usable_size)(void*);
};

extern constinit ProcessMalloc process;

}  // namespace lbhm::heap
