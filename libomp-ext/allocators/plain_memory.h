// Blocks with a header: from the process's malloc, or small ones from a tier.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "libomp-ext/allocators/block.h"
#include "libomp-ext/allocators/request.h"

namespace lbhm::allocators {

inline bool on_page_boundary(const void* user) { return reinterpret_cast<std::uintptr_t>(user) % page_bytes == 0; }

/// A block aligned to 16 bytes, which is no less than `alignment`. Null if malloc has none, or has one that must be
/// shifted off a page boundary: plain_allocate does that. `bytes` below 2^63.
inline void* direct_allocate(std::uint64_t bytes, std::uint64_t alignment, Owner owner) {
  auto* base = static_cast<char*>(std::malloc(bytes + header_bytes));
  char* user = base + header_bytes;
  if (base == nullptr || on_page_boundary(user)) [[unlikely]] {
    std::free(base);
    return nullptr;
  }
  write_header(user, bytes, log2_of(alignment), BlockLayout::direct, owner);
  return user;
}

/// The compiler drops a plain store to memory that is freed next; it makes a second free recognisable.
inline void mark_freed(BlockHeader* header) { *static_cast<volatile std::uint32_t*>(&header->check) = 0; }

/// Null if malloc has none. Alignment below page_bytes; page_memory.h has the rest.
void* plain_allocate(const Request& request, Owner owner);
/// The same in the tier that `hint` names (engine::MemoryTraits::tier_hint). Null if the engine has none there.
void* tier_allocate(const Request& request, int hint, Owner owner);
/// Gives back a block whose header find_header has found.
void plain_release(BlockHeader* header, void* user);
/// Changes the size of a block, not its owner. Null (always for shifted blocks and those of a tier): the block is as it
/// was.
void* plain_resize(BlockHeader* header, std::uint64_t bytes);

}  // namespace lbhm::allocators
