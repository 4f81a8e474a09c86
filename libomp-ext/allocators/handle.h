// What an omp_allocator_handle_t of ours looks like.
//
//   63      48 47            16 15        0
//   [ "LB"   ][ generation     ][ slot     ]
//
// A handle is a number and not a pointer, so a wrong or destroyed one is recognised without touching memory.
#pragma once

#include <cstdint>

namespace lbhm::allocators {

/// The bits of an omp_allocator_handle_t.
using Handle = std::uint64_t;

static_assert(sizeof(std::uintptr_t) == sizeof(Handle), "allocator handles need 64-bit addresses");

inline constexpr Handle null_handle = 0;
inline constexpr Handle default_memory = 1;       ///< omp_default_mem_alloc
inline constexpr Handle predefined_limit = 1024;  ///< smaller numbers are predefined, allocators as well as spaces
inline constexpr Handle first_target = 100;       ///< llvm_omp_target_host_mem_alloc; also the memory space
inline constexpr Handle last_target = 102;        ///< llvm_omp_target_device_mem_alloc; also the memory space

constexpr bool is_predefined(Handle h) { return h != null_handle && h < predefined_limit; }
inline constexpr Handle large_capacity_memory = 2;  ///< omp_large_cap_mem_alloc
inline constexpr Handle high_bandwidth_memory = 4;  ///< omp_high_bw_mem_alloc
inline constexpr Handle low_latency_memory = 5;     ///< omp_low_lat_mem_alloc

/// Predefined allocators that wish for a tier.
constexpr bool names_tier(Handle h) {
  return h == large_capacity_memory || h == high_bandwidth_memory || h == low_latency_memory;
}
constexpr bool is_target(Handle h) { return h >= first_target && h <= last_target; }
/// Predefined allocators without a wish for the memory: malloc serves them.
constexpr bool is_mallocs(Handle h) { return is_predefined(h) && !is_target(h) && !names_tier(h); }

inline constexpr Handle handle_tag = 0x4c42;

constexpr bool is_ours(Handle h) { return h >> 48 == handle_tag; }
constexpr std::uint32_t slot_of(Handle h) { return h & 0xffff; }
constexpr std::uint32_t generation_of(Handle h) { return static_cast<std::uint32_t>(h >> 16); }
constexpr Handle make_handle(std::uint32_t slot, std::uint32_t generation) {
  return handle_tag << 48 | Handle{generation} << 16 | slot;
}

/// Who gave a block out, in the three bytes that a block has room for: the predefined allocator, or predefined_limit +
/// slot; from bit 16 on the low bits of the generation, which tell a new allocator in the same slot from the old one.
struct Owner {
  std::uint32_t bits = 0;

  constexpr bool operator==(const Owner&) const = default;
  constexpr std::uint16_t id() const { return static_cast<std::uint16_t>(bits); }
  constexpr std::uint8_t generation() const { return static_cast<std::uint8_t>(bits >> 16); }
  constexpr bool is_custom() const { return id() >= predefined_limit; }
};

constexpr Owner owner_of(Handle h) {
  if (!is_ours(h)) return {static_cast<std::uint16_t>(h)};
  return {(generation_of(h) & 0xff) << 16 | static_cast<std::uint16_t>(predefined_limit + slot_of(h))};
}

// What a program asks of an allocator.

struct Request {
  std::uint64_t bytes = 0;      ///< never 0: that is answered with null before
  std::uint64_t alignment = 0;  ///< a power of two or 0; every block is aligned to 16 at least
  bool zeroed = false;
};

}  // namespace lbhm::allocators
