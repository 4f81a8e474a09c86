// What must be remembered of the few blocks that have no header: everything that starts on a page boundary, and memory
// of the runtime's own allocators, which the host may not be able to read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "libomp-ext/allocators/plain_memory.h"

namespace lbhm::allocators {

struct Remembered {
  enum class Kind : std::uint8_t { managed, pages, runtime, heap };  ///< heap: an object that malloc gave out
  Kind kind = Kind::pages;
  Owner owner;
  std::uint64_t bytes = 0;     ///< as asked for
  std::uint64_t charge = 0;    ///< to give back to the owner's pool
  Handle giver = null_handle;  ///< the runtime's allocator that gave it out, if it is the runtime's memory
  std::uint64_t mark = 0;      ///< of memkind's blocks (heap_objects.h)
};

/// Set with the first block of the runtime's, for good.
inline constinit std::atomic<bool> any_runtime{false};

/// Tells without a lock that an address is not here: blocks off page boundaries are the runtime's.
inline bool may_be_remembered(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % page_bytes == 0 || any_runtime.load(std::memory_order_relaxed);
}

/// False if there was no memory to remember it with.
bool remember(void* address, const Remembered& block);
std::optional<Remembered> recall(const void* address);
/// Nothing of this map may be called from `look`.
void for_each_remembered(const std::function<void(const void* address, const Remembered& block)>& look);
/// Recalls and removes in one step, so that of two frees of one block only one finds it. Blocks of malloc are found by
/// free alone, all others by omp_free.
enum class Of : std::uint8_t { openmp, malloc };
std::optional<Remembered> forget(const void* address, Of giver = Of::openmp);

}  // namespace lbhm::allocators
