#include "libc-ext/large_blocks.h"

#include <algorithm>
#include <bit>

#include "libc-ext/small_blocks.h"
#include "libc-ext/whole_front.h"
#include "libomp-ext/allocators/heap_objects.h"

namespace lbhm::heap {

constinit std::atomic<std::size_t> limit{SIZE_MAX};

namespace {

constexpr std::size_t largest_alignment = std::size_t{1} << 30;

/// Objects begin in [lowest, highest].
constinit std::atomic<std::uintptr_t> lowest{UINTPTR_MAX}, highest{0};

/// The same for blocks of memkind's interface, which nobody takes for malloc's.
constinit std::atomic<std::size_t> wished_limit{SIZE_MAX};

__attribute__((constructor)) void begin() {
  const std::size_t least = lbhm_heap_begin();
  wished_limit.store(least, std::memory_order_relaxed);
  if (!front_is_whole()) return;
  limit.store(least, std::memory_order_relaxed);
  begin_arenas();
}

bool is_possible(std::size_t bytes, std::size_t alignment) {
  return std::has_single_bit(alignment) && alignment <= largest_alignment && bytes <= PTRDIFF_MAX;
}

/// `block` as it is, noted if it is not null.
void* noted(void* block) {
  if (!block) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  std::uintptr_t least = lowest.load(std::memory_order_relaxed), most = highest.load(std::memory_order_relaxed);
  while (address < least && !lowest.compare_exchange_weak(least, address, std::memory_order_relaxed)) {}
  while (address > most && !highest.compare_exchange_weak(most, address, std::memory_order_relaxed)) {}
  return block;
}

bool in_range(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return address >= lowest.load(std::memory_order_relaxed) && address <= highest.load(std::memory_order_relaxed);
}

}  // namespace

void* object(std::size_t bytes, std::size_t alignment, const void* caller, bool zeroed) {
  if (!is_possible(bytes, alignment)) return nullptr;
  return noted(lbhm_heap_allocate(bytes, std::max(alignment, page), caller, zeroed));
}

void* object_in(std::size_t bytes, std::size_t alignment, int tier, std::size_t mark) {
  if (bytes < wished_limit.load(std::memory_order_relaxed) || !is_possible(bytes, alignment)) return nullptr;
  return noted(lbhm_heap_allocate_in(bytes, std::max(alignment, page), tier, mark));
}

std::size_t bytes_at_page(const void* block) { return in_range(block) ? lbhm_heap_bytes(block) : 0; }

bool release_own(void* block) { return in_range(block) && lbhm_heap_release(block); }

}  // namespace lbhm::heap
