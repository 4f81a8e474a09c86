#include "libomp-ext/allocators/plain_memory.h"

#include <cstdlib>
#include <cstring>

namespace lbhm::allocators {
namespace {

void* raw_allocate(std::uint64_t bytes, bool zeroed) { return zeroed ? std::calloc(1, bytes) : std::malloc(bytes); }

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

void* shifted_allocate(const Request& request, std::uint64_t step, Owner owner) {
  constexpr std::uint64_t in_front = header_bytes + sizeof(void*);
  std::uint64_t total = 0;
  if (__builtin_add_overflow(request.bytes, 2 * step + in_front, &total)) return nullptr;
  auto* base = static_cast<char*>(raw_allocate(total, request.zeroed));
  if (base == nullptr) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(base) + in_front;
  char* user = base + in_front + (-first & (step - 1));  // step is a power of two
  if (on_page_boundary(user)) user += step;
  write_base(user, base);
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::shifted, owner);
  return user;
}

}  // namespace

void* plain_allocate(const Request& request, Owner owner) {
  if (request.alignment > header_bytes) return shifted_allocate(request, request.alignment, owner);
  if (request.bytes > UINT64_MAX - header_bytes) return nullptr;
  auto* base = static_cast<char*>(raw_allocate(request.bytes + header_bytes, request.zeroed));
  if (base == nullptr) return nullptr;
  char* user = base + header_bytes;
  if (on_page_boundary(user)) [[unlikely]] {
    std::free(base);
    return shifted_allocate(request, header_bytes, owner);
  }
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::direct, owner);
  return user;
}

void plain_release(BlockHeader* header, void* user) {
  void* base = header->shifted() ? read_base(static_cast<char*>(user)) : header;
  mark_freed(header);
  std::free(base);
}

void* plain_resize(BlockHeader* header, std::uint64_t bytes) {
  constexpr std::uint64_t spare = header_bytes;  // to step off a page boundary where realloc leaves no choice
  if (header->shifted() || bytes > UINT64_MAX - header_bytes - spare) return nullptr;
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

}  // namespace lbhm::allocators
