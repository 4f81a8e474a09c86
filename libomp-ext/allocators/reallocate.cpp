#include <algorithm>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/allocate.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/block.h"
#include "libomp-ext/allocators/plain_memory.h"

namespace lbhm::allocators {
namespace {

/// True if a new block from `handle` would be of the same kind as the old one, so that malloc may resize it in place.
bool may_resize(const BlockHeader& header, Handle handle) {
  if (header.owner() != owner_of(handle) || header.alignment() > header_bytes) return false;
  if (is_predefined(handle)) return !is_target(handle) && !names_tier(handle);
  const Allocator* allocator = find_allocator(handle);
  return allocator != nullptr && !allocator->pool.limited() && !allocator->traits.placed();
}

}  // namespace

void* reallocate(void* address, std::uint64_t bytes, Handle handle, int gtid) {
  if (address == nullptr) return allocate(handle, {bytes}, gtid);
  if (bytes == 0) {
    release(address);
    return nullptr;
  }
  if (handle == null_handle) handle = default_allocator(gtid);
  const auto remembered = recall(address);
  BlockHeader* header = remembered ? nullptr : find_header(address);
  if (!remembered && header == nullptr) {
    say_limited(Sentence::format("omp_realloc: %p did not come from omp_alloc, or was freed before; it is left alone",
                                 address));
    return nullptr;
  }
  const std::uint64_t old_bytes = remembered ? remembered->bytes : header->bytes;
  if (header != nullptr && may_resize(*header, handle)) {
    if (void* resized = plain_resize(header, bytes)) return resized;
  }
  void* fresh = allocate(handle, {bytes}, gtid);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, address, std::min(bytes, old_bytes));
  release(address);
  return fresh;
}

}  // namespace lbhm::allocators
