// What stands in front of a block from malloc, or from the blocks of a tier.
//
//   base                                    user
//   | (padding, address of base if shifted) | header, 16 bytes | the program's memory ...
//
// The header makes frees possible without a lock or a search, and shows a pointer that is not ours. No such block
// starts on a page boundary: the page before may belong to nobody, and blocks there are looked up (address_map.h)
// instead.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>

#include "libomp-ext/allocators/handle.h"

namespace lbhm::allocators {

/// direct: the header is what malloc returned. shifted: the address of that stands in the 8 bytes before the header.
enum class BlockLayout : std::uint8_t { direct = 0, shifted = 0x80 };
/// Who gave the memory: malloc, or the engine, in a tier.
enum class BlockSource : std::uint8_t { process = 0, tier = 0x40 };

struct BlockHeader {
  std::uint64_t bytes = 0;      ///< as asked for
  std::uint32_t check = 0;      ///< checksum of the rest and the address; 0 once freed
  std::uint16_t owner_id = 0;   ///< Owner, taken apart so that the header has no padding
  std::uint8_t generation = 0;  ///< of the owner
  std::uint8_t shape = 0;       ///< log2 of the alignment asked for; BlockLayout and BlockSource in the highest bits

  Owner owner() const { return {owner_id, generation}; }
  bool shifted() const { return (shape & 0x80) != 0; }
  bool in_tier() const { return (shape & 0x40) != 0; }
  std::uint8_t log2_alignment() const { return shape & 0x3f; }
  std::uint64_t alignment() const { return std::uint64_t{1} << log2_alignment(); }
};
inline constexpr std::size_t header_bytes = sizeof(BlockHeader);
inline constexpr std::uint64_t page_bytes = 4096;  ///< the smallest page of any machine we run on
static_assert(header_bytes == 16, "a larger header would spoil malloc's alignment");

inline std::uint32_t block_checksum(const void* user, const BlockHeader& h) {
  const std::uint64_t meta = std::uint64_t{h.owner_id} << 16 | std::uint64_t{h.generation} << 8 | h.shape;
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(user) ^ std::rotl(h.bytes, 20) ^ meta << 32;
  return static_cast<std::uint32_t>((mixed ^ 0x4c42484d616c6c6full) * 0x9e3779b97f4a7c15ull >> 32) | 1;
}

/// `alignment` is a power of two, or 0 for "any".
constexpr std::uint8_t log2_of(std::uint64_t alignment) {
  return alignment == 0 ? 0 : static_cast<std::uint8_t>(std::countr_zero(alignment));
}

inline void write_header(void* user, std::uint64_t bytes, std::uint8_t log2_alignment, BlockLayout layout, Owner owner,
                         BlockSource source = BlockSource::process) {
  const auto shape =
      static_cast<std::uint8_t>(log2_alignment | static_cast<std::uint8_t>(layout) | static_cast<std::uint8_t>(source));
  BlockHeader header{bytes, 0, owner.id, owner.generation, shape};
  header.check = block_checksum(user, header);
  ::new (static_cast<char*>(user) - header_bytes) BlockHeader(header);
}

/// The header of a block, or null if the pointer is not a block of ours that is in use. Reads the 16 bytes before
/// `user`, which may belong to anybody: AddressSanitizer must not mind. They are in the same page as `user`.
[[gnu::no_sanitize_address]] inline BlockHeader* find_header(void* user) {
  const auto address = reinterpret_cast<std::uintptr_t>(user);
  if (address % header_bytes != 0 || address % page_bytes == 0) return nullptr;
  auto* header = reinterpret_cast<BlockHeader*>(static_cast<char*>(user) - header_bytes);
  const BlockHeader copy = *header;
  return copy.check == block_checksum(user, copy) ? header : nullptr;
}

// Blocks with a header: from the process's malloc, or small ones from a tier.

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

/// Null if malloc has none. Alignment below page_bytes; headerless_memory.h has the rest.
void* plain_allocate(const Request& request, Owner owner);
/// The same in the tier that `hint` names (engine::MemoryTraits::tier_hint). Null if the engine has none there.
void* tier_allocate(const Request& request, int hint, Owner owner);
/// Gives back a block whose header find_header has found.
void plain_release(BlockHeader* header, void* user);
/// Changes the size of a block, not its owner. Null (always for shifted blocks and those of a tier): the block is as it
/// was.
void* plain_resize(BlockHeader* header, std::uint64_t bytes);

// How large a block of ours is.

/// As it was asked for. Nothing: no block of ours that is in use begins at `address`, which may be any.
std::optional<std::uint64_t> block_size(const void* address);

}  // namespace lbhm::allocators
