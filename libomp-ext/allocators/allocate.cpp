#include "libomp-ext/allocators/allocate.h"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/block.h"
#include "libomp-ext/allocators/managed_memory.h"
#include "libomp-ext/allocators/page_memory.h"
#include "libomp-ext/allocators/plain_memory.h"
#include "libomp-ext/allocators/target_memory.h"

namespace lbhm::allocators {
namespace {

void* from_host(const Request& request, Owner owner, std::uint64_t charge) {
  if (request.alignment >= page_bytes) [[unlikely]]
    return page_allocate(request, owner, charge);
  return plain_allocate(request, owner);
}

void* from_predefined(Handle handle, const Request& request) {
  if (is_target(handle)) [[unlikely]]
    return target_allocate(handle, request, owner_of(handle), 0);
  if (names_tier(handle)) [[unlikely]] {
    AllocatorTraits traits;
    traits.space = handle == high_bandwidth_memory ? omp_high_bw_mem_space : omp_large_cap_mem_space;
    if (void* address = placed_allocate(traits, request, owner_of(handle), 0)) return address;
  }
  return from_host(request, owner_of(handle), 0);
}

void* from_memory_of(const Allocator& allocator, const Request& request, Owner owner, std::uint64_t charge) {
  if (allocator.target != null_handle) return target_allocate(allocator.target, request, owner, charge);
  if (allocator.traits.placed()) {
    if (void* address = placed_allocate(allocator.traits, request, owner, charge)) return address;
    if (allocator.traits.special_space()) return nullptr;
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

}  // namespace lbhm::allocators
