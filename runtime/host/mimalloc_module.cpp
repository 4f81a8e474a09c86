// liblbhm-mimalloc.so: heaps in memory of ours, by mimalloc. It is a library of its own, so that LB-HM runs where
// mimalloc is not installed.
#include <mimalloc.h>

#include "runtime/host/modules.h"

extern "C" __attribute__((visibility("default"))) const lbhm::host::HeapModule* lbhm_heap_v2() {
#if MI_MALLOC_VERSION >= 209 && MI_MALLOC_VERSION < 300  // 2.0.9: heaps in one arena; 3: other functions
  static constexpr lbhm::host::HeapModule module{
      .add = [](void* memory, std::size_t bytes) -> int {
        mi_arena_id_t arena = 0;
        constexpr bool committed = true, large = false, zero = true, exclusive = true;
        constexpr int any_node = -1;  // its pages have a policy already
        return mi_manage_os_memory_ex(memory, bytes, committed, large, zero, any_node, exclusive, &arena) ? arena : -1;
      },
      .thread_heap = [](int arena) -> void* { return mi_heap_new_in_arena(arena); },
      .allocate =
          [](void* heap, std::size_t bytes) {
            constexpr std::size_t least = 16;  // smaller blocks are aligned to 8
            return mi_heap_malloc(static_cast<mi_heap_t*>(heap), bytes < least ? least : bytes);
          },
      .release = [](int, void* block) { mi_free(block); }};
  return mi_version() >= 209 && mi_version() < 300 ? &module : nullptr;
#else
  return nullptr;
#endif
}
