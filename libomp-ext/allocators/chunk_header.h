// What stands in front of malloc's blocks that are objects, so that glibc's own functions take them for theirs.
//
// A block may reach glibc's free, realloc or malloc_usable_size past our functions: by a plug-in that is bound to libc
// alone (RTLD_DEEPBIND), by an address that a foreign-function interface looked up in libc. Of a block that it mapped
// glibc knows two words alone, which lie in front of it (malloc/malloc.c, struct malloc_chunk): how far in front of
// them the mapping begins, and how much of it they and the block are. munmap_chunk, mremap_chunk and musable believe
// them, so the block is unmapped, moved or measured as any other. They are in a page of their own, as the block begins
// at one, which is what memalign(4096) leads to there. We see from them, too, that an address is no block of ours any
// more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lbhm::allocators {

struct ChunkHeader {
  std::size_t before;  ///< bytes of the mapping in front of the header
  std::size_t size;    ///< of header and block; its lowest bits are flags

  static constexpr std::size_t is_mapped = 2, page = 4096;

  static ChunkHeader& of(void* block) { return static_cast<ChunkHeader*>(block)[-1]; }
  static const ChunkHeader& of(const void* block) { return static_cast<const ChunkHeader*>(block)[-1]; }

  static std::size_t size_for(std::uint64_t bytes) {
    return ((bytes + page - 1) / page * page + sizeof(ChunkHeader)) | is_mapped;
  }
  bool is_for(std::uint64_t bytes) const { return size == size_for(bytes); }
  /// All that is mapped in front of the block.
  std::size_t front() const { return before + sizeof(ChunkHeader); }
};

}  // namespace lbhm::allocators
