#include "libomp-ext/allocators/managed_memory.h"

#include <algorithm>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/block.h"

namespace lbhm::allocators {
namespace {

/// Programs allocate in static initialisers, before the OpenMP tool has started the engine.
void start_engine() { [[maybe_unused]] static const bool started = (engine::start(), true); }

/// The spaces are wishes for a tier where no hint says otherwise.
engine::MemoryTraits engine_traits(const AllocatorTraits& traits) {
  engine::MemoryTraits result = traits.memory;
  if (result.tier_hint >= 0) return result;
  if (traits.space == omp_high_bw_mem_space) result.tier_hint = 0;
  if (traits.space == omp_large_cap_mem_space) result.tier_hint = engine::MemoryTraits::slowest;
  return result;
}

}  // namespace

void* managed_allocate(const Allocator& allocator, const Request& request, Owner owner, std::uint64_t charge) {
  start_engine();
  const Bytes alignment(std::max(request.alignment, page_bytes));
  void* address = engine::allocate_object(Bytes(request.bytes), alignment, engine_traits(allocator.traits));
  if (address == nullptr) return nullptr;
  if (remember(address, {Remembered::Kind::managed, owner, request.bytes, charge})) return address;
  engine::release_object(address);
  return nullptr;
}

void managed_release(void* address) { engine::release_object(address); }

}  // namespace lbhm::allocators
