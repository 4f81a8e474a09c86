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

/// Blocks that the look-up itself asked for. They begin at pages and are never given back.
inline constexpr std::size_t early_page = 4096, early_pages = 16;
alignas(early_page) extern constinit char early_blocks[early_pages * early_page];

inline bool is_early(const void* block) {
  const auto at = static_cast<const char*>(block);
  return at >= early_blocks && at < early_blocks + sizeof early_blocks;
}
/// Up to the end of all early blocks: more than was asked for may be read, and is zero or another block's.
inline std::size_t early_bytes(const void* block) {
  return static_cast<std::size_t>(early_blocks + sizeof early_blocks - static_cast<const char*>(block));
}

}  // namespace lbhm::heap
