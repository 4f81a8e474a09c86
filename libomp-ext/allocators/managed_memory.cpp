#include "libomp-ext/allocators/managed_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/block.h"
#include "libomp-ext/allocators/plain_memory.h"

namespace lbhm::allocators {
namespace {

/// The spaces are wishes for a tier where no hint says otherwise. Who did not ask LB-HM to place memory gets that of
/// the space or none, and it stays there.
engine::MemoryTraits engine_traits(const AllocatorTraits& traits) {
  engine::MemoryTraits result = traits.memory;
  if (!result.managed) {
    result.migratable = false;
    result.exact = true;
  }
  if (result.tier_hint >= 0) return result;
  if (traits.space == omp_high_bw_mem_space) result.tier_hint = 0;
  if (traits.space == omp_large_cap_mem_space) result.tier_hint = engine::MemoryTraits::slowest;
  return result;
}

void* object_allocate(const engine::MemoryTraits& traits, const Request& request, Owner owner, std::uint64_t charge) {
  const Bytes alignment(std::max(request.alignment, page_bytes));
  void* address = engine::allocate_object(Bytes(request.bytes), alignment, traits);
  if (address == nullptr) return nullptr;
  if (remember(address, {Remembered::Kind::managed, owner, request.bytes, charge})) return address;
  engine::release_object(address);
  return nullptr;
}

void* block_of_tier(const engine::MemoryTraits& traits, const Request& request, Owner owner) {
  if (traits.tier_hint < 0 || request.alignment >= page_bytes) return nullptr;
  return tier_allocate(request, traits.tier_hint, owner);
}

}  // namespace

void* placed_allocate(const AllocatorTraits& traits, const Request& request, Owner owner, std::uint64_t charge) {
  constexpr std::uint64_t large = std::uint64_t{1} << 20;  // its mapping costs little beside its first use
  engine::start();  // programs allocate in static initialisers, before the OpenMP tool has started it
  const engine::MemoryTraits wanted = engine_traits(traits);
  // Nothing needs to be known of memory that nobody gave to LB-HM: blocks are the cheaper way to it.
  if (!wanted.managed && request.bytes <= large) {
    if (void* block = block_of_tier(wanted, request, owner)) return block;
  }
  if (void* object = object_allocate(wanted, request, owner, charge)) return object;
  return block_of_tier(wanted, request, owner);
}

void managed_release(void* address, std::uint64_t bytes) {
  if (engine::release_object(address)) return;
  // A child of a fork: the object's machine is its parent's, and the pages are its own.
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  munmap(address, (bytes + page - 1) / page * page);
}

}  // namespace lbhm::allocators
