#include "libomp-ext/allocators/plain_memory.h"

#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"
#include "runtime/engine/engine.h"

namespace lbhm::allocators {
namespace {

/// Memory that malloc or the engine gave: a block's, with its header.
struct ProcessMemory {
  static constexpr auto source = BlockSource::process;

  void* allocate(std::uint64_t bytes, bool zeroed) const { return zeroed ? std::calloc(1, bytes) : std::malloc(bytes); }
  static void release(void* base, std::uint64_t /*bytes*/) { std::free(base); }
};

struct TierMemory {
  static constexpr auto source = BlockSource::tier;
  int hint;

  void* allocate(std::uint64_t bytes, bool zeroed) const {
    void* const base = engine::allocate_block(Bytes(bytes), hint);
    if (base != nullptr && zeroed) std::memset(base, 0, bytes);
    return base;
  }
  static void release(void* base, std::uint64_t bytes) { engine::release_block(base, Bytes(bytes)); }
};

/// Space for a shifted block: the base's address, the header and what it takes to come to a multiple of `step`.
constexpr std::uint64_t shifted_extra(std::uint64_t step) { return header_bytes + sizeof(void*) + 2 * step; }

/// What malloc returned for a shifted block stands right before its header.
char* place_of_base(char* user) { return user - header_bytes - sizeof(void*); }

void write_base(char* user, char* base) {
  std::memcpy(place_of_base(user), static_cast<const void*>(&base), sizeof base);
}

void* read_base(char* user) {
  char* base = nullptr;
  std::memcpy(static_cast<void*>(&base), place_of_base(user), sizeof base);
  return base;
}

void* shifted_allocate(const Request& request, std::uint64_t step, Owner owner, const auto& memory) {
  constexpr std::uint64_t in_front = header_bytes + sizeof(void*);
  std::uint64_t total = 0;
  if (__builtin_add_overflow(request.bytes, shifted_extra(step), &total)) return nullptr;
  auto* base = static_cast<char*>(memory.allocate(total, request.zeroed));
  if (base == nullptr) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(base) + in_front;
  char* user = base + in_front + (-first & (step - 1));  // step is a power of two
  if (on_page_boundary(user)) user += step;
  write_base(user, base);
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::shifted, owner, memory.source);
  return user;
}

void* block_allocate(const Request& request, Owner owner, const auto& memory) {
  if (request.alignment > header_bytes) return shifted_allocate(request, request.alignment, owner, memory);
  if (request.bytes > UINT64_MAX - header_bytes) return nullptr;
  const std::uint64_t total = request.bytes + header_bytes;
  auto* base = static_cast<char*>(memory.allocate(total, request.zeroed));
  if (base == nullptr) return nullptr;
  char* user = base + header_bytes;
  if (on_page_boundary(user)) [[unlikely]] {
    memory.release(base, total);
    return shifted_allocate(request, header_bytes, owner, memory);
  }
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::direct, owner, memory.source);
  return user;
}

/// False: nobody can read there. A program may ask of an address that is not mapped, or no more.
bool read_safely(const void* from, void* to, std::size_t bytes) {
  if (engine::silent_process) {  // without the question: programs that are right do not need it
    std::memcpy(to, from, bytes);
    return true;
  }
  const int before = errno;
  const iovec source{const_cast<void*>(from), bytes}, target{to, bytes};
  const bool read = process_vm_readv(getpid(), &target, 1, &source, 1, 0) == static_cast<ssize_t>(bytes);
  errno = before;
  return read;
}

}  // namespace

void* plain_allocate(const Request& request, Owner owner) { return block_allocate(request, owner, ProcessMemory{}); }

void* tier_allocate(const Request& request, int hint, Owner owner) {
  return block_allocate(request, owner, TierMemory{hint});
}

void plain_release(BlockHeader* header, void* user) {
  void* base = header->shifted() ? read_base(static_cast<char*>(user)) : header;
  const BlockHeader block = *header;
  mark_freed(header);
  if (!block.in_tier()) return ProcessMemory::release(base, 0);
  const std::uint64_t step = std::max<std::uint64_t>(block.alignment(), header_bytes);
  TierMemory::release(base, block.bytes + (block.shifted() ? shifted_extra(step) : header_bytes));
}

void* plain_resize(BlockHeader* header, std::uint64_t bytes) {
  constexpr std::uint64_t spare = header_bytes;  // to step off a page boundary where realloc leaves no choice
  if (header->shifted() || header->in_tier() || bytes > UINT64_MAX - header_bytes - spare) return nullptr;
  const BlockHeader old = *header;
  auto* base = static_cast<char*>(std::realloc(header, bytes + header_bytes + spare));
  if (base == nullptr) return nullptr;
  char* user = base + header_bytes;
  auto layout = BlockLayout::direct;
  if (on_page_boundary(user)) [[unlikely]] {
    std::memmove(user + spare, user, bytes);
    user += spare;
    layout = BlockLayout::shifted;
    write_base(user, base);
  }
  write_header(user, bytes, old.log2_alignment(), layout, old.owner());
  return user;
}

std::optional<std::uint64_t> block_size(const void* address) {
  if (may_be_remembered(address)) {
    if (const auto block = recall(address)) return block->bytes;
  }
  const auto user = reinterpret_cast<std::uintptr_t>(address);
  BlockHeader header;
  if (user < header_bytes || user % header_bytes != 0 || user % page_bytes == 0) return std::nullopt;
  if (!read_safely(reinterpret_cast<const void*>(user - header_bytes), &header, sizeof header)) return std::nullopt;
  return header.check == block_checksum(address, header) ? std::optional(header.bytes) : std::nullopt;
}

}  // namespace lbhm::allocators
