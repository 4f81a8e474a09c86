// The blocks that programs have: who gives their memory, what is known of them, and how they go back.
//
//   base                                    user
//   | (padding, address of base if shifted) | header, 16 bytes | the program's memory ...
//
// The header makes frees possible without a lock or a search, and shows a pointer that is not ours. No such block
// starts on a page boundary: the page before may belong to nobody. What starts there is in a map instead, and so is
// memory of the runtime's own allocators, which the host may not be able to read.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <optional>

#include "libomp-ext/allocators/handle.h"
#include "runtime/engine/engine.h"

namespace lbhm::allocators {

/// Who gives the memory of a block. tier, object: the engine. runtime: libomp. heap: an object that malloc gave out.
enum class Source : std::uint8_t { nobody, malloc, tier, object, runtime, heap };

// Headers.

/// direct: the header is what malloc returned. shifted: the address of that stands in the 8 bytes before the header.
enum class BlockLayout : std::uint32_t { direct = 0, shifted = 0x8000'0000 };

struct BlockHeader {
  std::uint64_t bytes = 0;  ///< as asked for
  std::uint32_t check = 0;  ///< checksum of the rest and the address; 0 once freed
  std::uint32_t about = 0;  ///< from the lowest bit on: Owner, log2 of the alignment asked for, a tier's?, BlockLayout

  static constexpr std::uint32_t a_tiers = 0x4000'0000;
  Owner owner() const { return {about & 0xff'ffff}; }
  bool shifted() const { return (about & static_cast<std::uint32_t>(BlockLayout::shifted)) != 0; }
  bool in_tier() const { return (about & a_tiers) != 0; }
  std::uint8_t log2_alignment() const { return about >> 24 & 0x3f; }
  std::uint64_t alignment() const { return std::uint64_t{1} << log2_alignment(); }
};
inline constexpr std::size_t header_bytes = sizeof(BlockHeader);
inline constexpr std::uint64_t page_bytes = 4096;  ///< the smallest page of any machine we run on
static_assert(header_bytes == 16, "a larger header would spoil malloc's alignment");

inline std::uint32_t block_checksum(const void* user, const BlockHeader& h) {
  const std::uint64_t mixed =
      reinterpret_cast<std::uintptr_t>(user) ^ std::rotl(h.bytes, 20) ^ std::uint64_t{h.about} << 32;
  return static_cast<std::uint32_t>((mixed ^ 0x4c42484d616c6c6full) * 0x9e3779b97f4a7c15ull >> 32) | 1;
}

/// `alignment` is a power of two, or 0 for "any".
constexpr std::uint8_t log2_of(std::uint64_t alignment) {
  return alignment == 0 ? 0 : static_cast<std::uint8_t>(std::countr_zero(alignment));
}

inline void write_header(void* user, std::uint64_t bytes, std::uint8_t log2_alignment, BlockLayout layout, Owner owner,
                         Source source = Source::malloc) {
  const std::uint32_t tier = source == Source::tier ? BlockHeader::a_tiers : 0;
  BlockHeader header{
      .bytes = bytes,
      .about = owner.bits | std::uint32_t{log2_alignment} << 24 | tier | static_cast<std::uint32_t>(layout)};
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

/// What malloc, or the engine, returned for the block.
inline void* base_of(BlockHeader* header) {
  void* base = header;
  if (header->shifted())
    std::memcpy(static_cast<void*>(&base), reinterpret_cast<char*>(header) - sizeof base, sizeof base);
  return base;
}

/// The compiler drops a plain store to memory that is freed next; it makes a second free recognisable.
inline void mark_freed(BlockHeader* header) { *static_cast<volatile std::uint32_t*>(&header->check) = 0; }

inline bool on_page_boundary(const void* user) { return reinterpret_cast<std::uintptr_t>(user) % page_bytes == 0; }

// What is known of a block.

struct Block {
  Source source = Source::nobody;   ///< nobody: there is no such block
  std::uint8_t log2_alignment = 0;  ///< of what was asked for
  Owner owner{};
  std::uint64_t bytes = 0;        ///< as asked for
  Handle giver = null_handle;     ///< the runtime's allocator that gave it out, if it is the runtime's memory
  std::uint64_t mark = 0;         ///< of memkind's blocks (heap_objects.h)
  BlockHeader* header = nullptr;  ///< null: it is in the map

  std::uint64_t alignment() const { return std::uint64_t{1} << log2_alignment; }
};

/// The block that begins there, if it is not one of malloc's front (Source::heap).
Block find_block(void* address);
/// The same, and from now on there is none: of two frees of one block only one finds it.
Block take_block(void* address);
/// Bytes of a block as they were asked for. Nothing: no block of ours that is in use begins at `address`, which may be
/// any.
std::optional<std::uint64_t> block_size(const void* address);

// The map. Of those that free a block one alone finds it.

/// Set with the first block of the runtime's, for good.
inline constinit std::atomic<bool> any_runtime{false};

/// Tells without a lock that an address is not in the map: blocks off page boundaries are the runtime's.
inline bool may_be_remembered(const void* address) {
  return on_page_boundary(address) || any_runtime.load(std::memory_order_relaxed);
}

/// False if there was no memory to remember it with.
bool remember(void* address, const Block& block);
Block recall(const void* address);
/// Recalls and removes in one step. Blocks of malloc are found by free alone, all others by omp_free.
enum class Of : std::uint8_t { openmp, malloc };
Block forget(const void* address, Of giver);
/// Nothing of this map may be called from `look`.
void for_each_remembered(const std::function<void(const void* address, const Block& block)>& look);

// Giving and taking back.

/// Who is to serve a request.
struct Server {
  std::array<Source, 3> sources{};               ///< asked in this order
  Owner owner{};                                 ///< of the block
  Handle runtime = null_handle;                  ///< the allocator that the runtime is asked by
  int tier = -1;                                 ///< of the engine's memory (engine::MemoryTraits::tier_hint)
  const engine::MemoryTraits* wanted = nullptr;  ///< of an object
};

/// Null: none of the sources has memory.
void* give_block(const Server& server, const Request& request);
/// Gives back what take_block has found.
void release_block(const Block& block, void* address);
/// Changes the size of a block, not its owner. Null (always where it does not lie as malloc returned it): the block is
/// as it was.
void* resize_block(const Block& block, std::uint64_t bytes);
/// In a child of a fork: the object's machine is its parent's, and the pages are its own.
void unmap_pages(void* address, std::uint64_t bytes, std::uint64_t front = 0);

/// A block of malloc's aligned to 16 bytes, which is no less than `alignment`. Null if malloc has none, or has one that
/// must be shifted off a page boundary: give_block does that. `bytes` below 2^63.
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

}  // namespace lbhm::allocators
