// liblbhm-memkind.so: heaps in memory of ours, by memkind's fixed kinds. It is a library of its own, so that LB-HM runs
// where memkind is not installed. memkind's other kinds map memory by themselves, on nodes that they choose: what they
// have of a tier could not be counted.
#include <memkind.h>

#include <array>
#include <atomic>

#include "runtime/host/modules.h"

namespace {

std::array<memkind_t, 64> kinds;  // by number, as add gives them; they stay
std::atomic<int> used{0};

int add(void* memory, std::size_t bytes) {
  const int number = used.fetch_add(1, std::memory_order_relaxed);
  if (number >= static_cast<int>(kinds.size())) return -1;
  return memkind_create_fixed(memory, bytes, &kinds[static_cast<std::size_t>(number)]) == MEMKIND_SUCCESS ? number : -1;
}

memkind_t kind_of(int memory) { return kinds[static_cast<std::size_t>(memory)]; }

}  // namespace

extern "C" __attribute__((visibility("default"))) const lbhm::host::HeapModule* lbhm_heap_v2() {
  static constexpr lbhm::host::HeapModule module{
      .add = add,
      .thread_heap = [](int memory) -> void* { return kind_of(memory); },
      .allocate =
          [](void* heap, std::size_t bytes) {
            constexpr std::size_t least = 16;  // smaller blocks are aligned to 8
            return memkind_malloc(static_cast<memkind_t>(heap), bytes < least ? least : bytes);
          },
      .release = [](int memory, void* block) { memkind_free(kind_of(memory), block); }};
  return memkind_get_version() >= 1'011'000 ? &module : nullptr;  // 1.11 has fixed kinds
}
