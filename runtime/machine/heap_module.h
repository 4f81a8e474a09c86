// What a module that divides memory into blocks offers. TierHeap opens it at run time, so that nothing of LB-HM needs
// the library behind it.
#pragma once

#include <cstddef>

namespace lbhm::host {

/// Functions, not null. None throws; any thread may call them at any time.
struct HeapModule {
  /// Takes `memory` to divide it, for ever; begin and size are multiples of heap_grain. Negative: not possible.
  int (*add)(void* memory, std::size_t bytes);
  /// A heap of the calling thread, or of all threads, that lies in that memory alone. Null: not possible. When the
  /// thread ends its heap goes, and its blocks stay.
  void* (*thread_heap)(int memory);
  /// By the heap's thread. Aligned to 16. Null: no room.
  void* (*allocate)(void* heap, std::size_t bytes);
  /// By any thread; `memory` as add gave it.
  void (*release)(int memory, void* block);
};

/// mimalloc 2 takes so much memory at once for a thread (MI_SEGMENT_SIZE).
inline constexpr std::size_t heap_grain = std::size_t{32} << 20;

/// The one function of each such module. It returns null if the library is of a version that we do not know.
using HeapModuleEntry = const HeapModule* (*)();
inline constexpr const char* heap_module_entry = "lbhm_heap_v2";

}  // namespace lbhm::host
