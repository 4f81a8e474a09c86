// The functions of libmemkind's hbwmalloc.h in front of its own.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>

#include "libc-ext/memkind_blocks.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::heap;

constexpr std::size_t number_of(const char* name) {
  for (std::size_t i = 0; i < no_wish; ++i) {
    if (__builtin_strcmp(wishes[i].name, name) == 0) return i;
  }
  return no_wish;
}

enum Policy : int {  // NOLINT(performance-enum-size): hbwmalloc.h's
  bind = 1,
  preferred,
  interleave,
  bind_all
};
constexpr std::size_t wish_of_policy[] = {no_wish, number_of("MEMKIND_HBW"), number_of("MEMKIND_HBW_PREFERRED"),
                                          number_of("MEMKIND_HBW_INTERLEAVE"), number_of("MEMKIND_HBW_ALL")};
/// 0: not said yet. It may be said once, and before the first block.
constinit std::atomic<int> policy{0};

std::size_t hbw_wish() {
  int said = 0;
  if (policy.compare_exchange_strong(said, preferred, std::memory_order_relaxed)) said = preferred;
  return wish_of_policy[said];
}

// Of hbw_pagesize_t. libmemkind takes any other number for pages of 4 KiB.
constexpr int pages_2MiB = 2, pages_1GiB_strict = 3, pages_1GiB = 4;

}  // namespace

/// There is memory for it, whatever the machine has.
LBHM_EXPORT int hbw_check_available() { return 0; }

LBHM_EXPORT int hbw_set_policy(int wanted) {
  if (wanted < bind || wanted > bind_all) return EINVAL;
  int said = 0;
  const bool first = policy.compare_exchange_strong(said, wanted, std::memory_order_relaxed);
  return first || said == wanted ? 0 : EPERM;
}

LBHM_EXPORT int hbw_get_policy() {
  const int said = policy.load(std::memory_order_relaxed);
  return said ? said : preferred;
}

LBHM_EXPORT void* hbw_malloc(std::size_t bytes) { return wished_block(hbw_wish(), bytes); }

LBHM_EXPORT void* hbw_calloc(std::size_t count, std::size_t bytes) { return wished_zeros(hbw_wish(), count, bytes); }

LBHM_EXPORT void* hbw_realloc(void* block, std::size_t bytes) { return wished_resize(hbw_wish(), block, bytes); }

LBHM_EXPORT void hbw_free(void* block) { release_wished(nullptr, block); }

LBHM_EXPORT std::size_t hbw_malloc_usable_size(void* block) { return wished_bytes(nullptr, block); }

LBHM_EXPORT int hbw_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  return wished_aligned(hbw_wish(), block, alignment, bytes);
}

/// The size of pages is a wish, too: blocks of 2 MiB's begin at such a page.
LBHM_EXPORT int hbw_posix_memalign_psize(void** block, std::size_t alignment, std::size_t bytes, int page_size) {
  constexpr std::size_t MiB = std::size_t{1} << 20, GiB = std::size_t{1} << 30;
  const bool large = page_size >= pages_2MiB && page_size <= pages_1GiB;
  if (page_size == pages_1GiB_strict && bytes % GiB) return EINVAL;
  if (large && hbw_get_policy() == interleave) return EINVAL;
  const bool raised = page_size == pages_2MiB && alignment >= sizeof(void*) && std::has_single_bit(alignment);
  return wished_aligned(hbw_wish(), block, raised ? std::max(alignment, 2 * MiB) : alignment, bytes);
}
