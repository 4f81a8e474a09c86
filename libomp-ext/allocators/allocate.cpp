#include "libomp-ext/allocators/allocate.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/headerless_memory.h"
#include "libomp-ext/allocators/plain_memory.h"
#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {
namespace {

void* from_host(const Request& request, Owner owner, std::uint64_t charge) {
  if (request.alignment >= page_bytes) [[unlikely]]
    return page_allocate(request, owner, charge);
  return plain_allocate(request, owner);
}

Handle space_of(Handle names_tier) {
  if (names_tier == high_bandwidth_memory) return omp_high_bw_mem_space;
  return names_tier == low_latency_memory ? omp_low_lat_mem_space : omp_large_cap_mem_space;
}

void* from_predefined(Handle handle, const Request& request) {
  if (is_target(handle)) [[unlikely]]
    return runtime_allocate(handle, request, owner_of(handle), 0);
  if (names_tier(handle)) [[unlikely]] {
    AllocatorTraits traits;
    traits.space = space_of(handle);
    if (void* address = placed_allocate(traits, request, owner_of(handle), 0)) return address;
  }
  return from_host(request, owner_of(handle), 0);
}

void* from_memory_of(const Allocator& allocator, const Request& request, Owner owner, std::uint64_t charge) {
  if (allocator.behind != null_handle) return runtime_allocate(allocator.behind, request, owner, charge);
  if (allocator.traits.placed()) {
    if (void* address = placed_allocate(allocator.traits, request, owner, charge)) return address;
    // An emulated machine places whole pages: smaller blocks are in none of its tiers.
    const bool placeable = request.bytes >= page_bytes || !engine::keeps_virtual_time();
    if (allocator.traits.names_tier() && engine::has_tiers() && placeable) return nullptr;
  }
  return from_host(request, owner, charge);
}

void* from_custom(Allocator& allocator, const Request& request, Owner owner) {
  const auto charge = pool_charge(request.bytes, request.alignment);
  if (!allocator.pool.take(charge)) return nullptr;
  void* address = from_memory_of(allocator, request, owner, charge);
  if (address == nullptr) allocator.pool.give_back(charge);
  return address;
}

/// Where to go on when an allocator has nothing; null: nowhere.
Handle after(const Allocator& allocator, const Request& request) {
  switch (allocator.traits.fallback) {
    case Fallback::default_memory:
      return default_memory;
    case Fallback::allocator:
      return allocator.traits.fallback_allocator;
    case Fallback::abort:
      say_and_abort(Sentence::format("no memory for %" PRIu64
                                     " bytes, and the allocator's fallback is omp_atv_abort_fb;"
                                     " enlarge its pool_size or choose another fallback",
                                     request.bytes));
    case Fallback::null:
      break;
  }
  return null_handle;
}

void* custom_chain(Handle handle, Request request) {
  constexpr int longest_chain = 64;
  for (int i = 0; i < longest_chain; ++i) {
    Allocator* allocator = find_allocator(handle);
    if (allocator == nullptr && is_made_by_runtime(handle)) return runtime_allocate(handle, request, {}, 0);
    if (allocator == nullptr) {
      say_limited(Sentence::format("%#" PRIx64 " is no allocator, or was destroyed; no memory was given", handle));
      return nullptr;
    }
    request.alignment = std::max(request.alignment, allocator->traits.alignment);
    if (void* address = from_custom(*allocator, request, owner_of(handle))) return address;
    handle = after(*allocator, request);
    if (handle == null_handle) return nullptr;
    if (is_predefined(handle)) return from_predefined(handle, request);
  }
  say_limited(Sentence::format("the fallback allocators of %#" PRIx64 " form a circle; no memory was given", handle));
  return nullptr;
}

void give_back(Owner owner, std::uint64_t charge) {
  if (Allocator* allocator = find_allocator(owner)) allocator->pool.give_back(charge);
}

void release_remembered(void* address, const Remembered& block) {
  give_back(block.owner, block.charge);
  switch (block.kind) {
    case Remembered::Kind::managed:
      return managed_release(address, block.bytes);
    case Remembered::Kind::pages:
      return page_release(address);
    case Remembered::Kind::runtime:
      return runtime_release(address, block.giver);
    case Remembered::Kind::heap:
      break;  // free's
  }
}

/// True if a new block from `handle` would be of the same kind as the old one, so that malloc may resize it in place.
bool may_resize(const BlockHeader& header, Handle handle) {
  if (header.owner() != owner_of(handle) || header.alignment() > header_bytes) return false;
  if (is_predefined(handle)) return !is_target(handle) && !names_tier(handle);
  const Allocator* allocator = find_allocator(handle);
  return allocator != nullptr && !allocator->pool.limited() && !allocator->traits.placed();
}

}  // namespace

void* allocate(Handle handle, const Request& request, int gtid) {
  if (request.bytes == 0 || (request.alignment & (request.alignment - 1)) != 0) return nullptr;
  if (handle == null_handle) handle = default_allocator(gtid);
  if (is_predefined(handle)) [[likely]]
    return from_predefined(handle, request);
  return custom_chain(handle, request);
}

void* allocate_array(Handle handle, std::uint64_t alignment, std::uint64_t count, std::uint64_t bytes, int gtid) {
  std::uint64_t total = 0;
  if (!__builtin_mul_overflow(count, bytes, &total)) return allocate(handle, {total, alignment, true}, gtid);
  if (handle == null_handle) handle = default_allocator(gtid);
  const Allocator* allocator = find_allocator(handle);
  if (allocator != nullptr && allocator->traits.fallback == Fallback::abort) after(*allocator, {UINT64_MAX});
  return nullptr;
}

void release(void* address, Handle handle) {
  if (address == nullptr) return;
  if (may_be_remembered(address)) [[unlikely]] {
    if (const auto block = forget(address)) return release_remembered(address, *block);
  }
  BlockHeader* header = find_header(address);
  if (header == nullptr) [[unlikely]] {
    if (is_made_by_runtime(handle)) return runtime_release(address, handle);
    say_limited(
        Sentence::format("omp_free: %p did not come from omp_alloc, or was freed before; it is left alone", address));
    return;
  }
  give_back(header->owner(), pool_charge(header->bytes, header->alignment()));
  plain_release(header, address);
}

void* reallocate(void* address, std::uint64_t bytes, Handle handle, int gtid) {
  if (address == nullptr) return allocate(handle, {bytes}, gtid);
  if (bytes == 0) {
    release(address);
    return nullptr;
  }
  if (handle == null_handle) handle = default_allocator(gtid);
  auto remembered = recall(address);
  if (remembered && remembered->kind == Remembered::Kind::heap) remembered.reset();
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
