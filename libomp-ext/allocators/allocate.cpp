#include "libomp-ext/allocators/allocate.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <utility>

namespace lbhm::allocators {
namespace {

/// The spaces are wishes for a tier where no hint says otherwise.
int tier_of(const AllocatorTraits& traits) {
  if (traits.memory.tier_hint >= 0) return traits.memory.tier_hint;
  if (traits.space == omp_high_bw_mem_space) return engine::MemoryTraits::highest_bandwidth;
  if (traits.space == omp_low_lat_mem_space) return engine::MemoryTraits::lowest_latency;
  return traits.space == omp_large_cap_mem_space ? engine::MemoryTraits::slowest : -1;
}

/// Of predefined allocators that name a tier.
const AllocatorTraits& predefined_traits(Handle handle) {
  static constexpr AllocatorTraits fast{.space = omp_high_bw_mem_space}, near{.space = omp_low_lat_mem_space},
      large{.space = omp_large_cap_mem_space};
  return handle == high_bandwidth_memory ? fast : handle == low_latency_memory ? near : large;
}

/// Memory whose place LB-HM or the program decides: an object; or a block of the tier that traits or space name, below
/// the setting managed_minimum, and for memory that the program did not give to LB-HM up to 1 MiB. `fallback`: what to
/// do without is a trait of the allocator.
Server placed_server(const AllocatorTraits& traits, const Request& request, bool fallback) {
  constexpr std::uint64_t large = std::uint64_t{1} << 20;  // its mapping costs little beside its first use
  engine::start();  // programs allocate in static initialisers, before the OpenMP tool has started it
  Server server{.tier = tier_of(traits), .wanted = &traits.memory};
  const bool in_block = server.tier >= 0 && request.alignment < page_bytes;
  // An emulated machine places whole pages: smaller blocks are in none of its tiers.
  const bool placeable = request.bytes >= page_bytes || !engine::keeps_virtual_time();
  const bool only_there = fallback && traits.names_tier() && engine::has_tiers() && placeable;
  server.sources = {Source::object, in_block ? Source::tier : Source::nobody,
                    only_there ? Source::nobody : Source::malloc};
  // Nothing needs to be known of memory that nobody gave to LB-HM: blocks are the cheaper way to it.
  if (!traits.memory.managed && request.bytes <= large) std::swap(server.sources[0], server.sources[1]);
  return server;
}

/// Who serves what is asked of an allocator: the one place that decides it. Nobody, and a line on standard error, if
/// there is no such allocator. Inline, as memory_of is: the calls cost 2 to 3 ns of the 15 of a small block.
[[gnu::always_inline]] inline Server server_of(Handle handle, const Allocator* allocator, const Request& request) {
  if (allocator == nullptr ? is_mallocs(handle) : allocator->mallocs) [[likely]]
    return {.sources = {Source::malloc}, .owner = owner_of(handle)};
  if (allocator == nullptr && (is_target(handle) || is_made_by_runtime(handle)))
    return {.sources = {Source::runtime}, .runtime = handle};
  if (allocator == nullptr && !names_tier(handle)) {
    say_limited(Sentence::format("%#" PRIx64 " is no allocator, or was destroyed; no memory was given", handle));
    return {};
  }
  Server server;
  if (allocator == nullptr)
    server = placed_server(predefined_traits(handle), request, false);
  else if (allocator->behind == null_handle)
    server = placed_server(allocator->traits, request, true);
  else
    server = {.sources = {Source::runtime}, .runtime = allocator->behind};
  server.owner = owner_of(handle);
  return server;
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

}  // namespace

void* allocate(Handle handle, const Request& asked, int gtid) {
  constexpr int most_fallbacks = 64;
  if (asked.bytes == 0 || (asked.alignment & (asked.alignment - 1)) != 0) return nullptr;
  if (handle == null_handle) handle = default_allocator(gtid);
  std::uint64_t alignment = asked.alignment;
  for (int i = 0; i <= most_fallbacks; ++i) {
    Allocator* allocator = find_allocator(handle);
    if (allocator != nullptr) alignment = std::max(alignment, allocator->traits.alignment);
    const Request request{.bytes = asked.bytes, .alignment = alignment, .zeroed = asked.zeroed};
    const auto charge = pool_charge(request.bytes, alignment);
    if (allocator == nullptr || allocator->pool.take(charge)) {
      void* address = give_block(server_of(handle, allocator, request), request);
      if (address != nullptr || allocator == nullptr) return address;
      allocator->pool.give_back(charge);
    }
    handle = after(*allocator, request);
    if (handle == null_handle) return nullptr;
  }
  say_limited(Sentence::format("the fallback allocators of %#" PRIx64 " form a circle; no memory was given", handle));
  return nullptr;
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
  const Block block = take_block(address);
  if (block.source == Source::nobody) [[unlikely]] {
    if (is_made_by_runtime(handle)) return runtime_release(address, handle);
    say_limited(
        Sentence::format("omp_free: %p did not come from omp_alloc, or was freed before; it is left alone", address));
    return;
  }
  if (Allocator* allocator = find_allocator(block.owner))
    allocator->pool.give_back(pool_charge(block.bytes, block.alignment()));
  release_block(block, address);
}

void* reallocate(void* address, std::uint64_t bytes, Handle handle, int gtid) {
  if (address == nullptr) return allocate(handle, {bytes}, gtid);
  if (bytes == 0) {
    release(address);
    return nullptr;
  }
  if (handle == null_handle) handle = default_allocator(gtid);
  const Block old = find_block(address);
  if (old.source == Source::nobody) {
    say_limited(Sentence::format("omp_realloc: %p did not come from omp_alloc, or was freed before; it is left alone",
                                 address));
    return nullptr;
  }
  const Allocator* allocator = find_allocator(handle);
  const bool mallocs = allocator == nullptr ? is_mallocs(handle) : allocator->mallocs && !allocator->pool.limited();
  if (mallocs && old.owner == owner_of(handle) && old.alignment() <= header_bytes) {
    if (void* resized = resize_block(old, bytes)) return resized;  // in place, if malloc can
  }
  void* fresh = allocate(handle, {bytes}, gtid);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, address, std::min(bytes, old.bytes));
  release(address);
  return fresh;
}

}  // namespace lbhm::allocators
