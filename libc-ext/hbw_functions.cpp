// The functions of libmemkind's hbwmalloc.h in front of its own.
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>

#include "libc-ext/memkind_blocks.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "libomp-ext/real/export.h"

namespace {

using namespace lbhm::heap;

constexpr std::size_t number_of(const char* name) {
  for (std::size_t i = 0; i < no_wish; ++i) {
    if (__builtin_strcmp(wishes[i].name, name) == 0) return i;
  }
  return no_wish;
}

enum Policy : int { bind = 1, preferred, interleave, bind_all };
constexpr std::size_t wish_of_policy[] = {no_wish, number_of("MEMKIND_HBW"), number_of("MEMKIND_HBW_PREFERRED"),
                                          number_of("MEMKIND_HBW_INTERLEAVE"), number_of("MEMKIND_HBW_ALL")};
/// 0: not said yet. It may be said once, and before the first block.
constinit std::atomic<int> policy{0};

std::size_t hbw_wish() {
  int said = 0;
  if (policy.compare_exchange_strong(said, preferred, std::memory_order_relaxed)) said = preferred;
  return wish_of_policy[said];
}

/// Of hbw_pagesize_t: 4 KiB, 2 MiB, 1 GiB strictly, 1 GiB. 0: there is no such.
std::size_t page_bytes_of(int size) {
  constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
  constexpr std::size_t sizes[] = {0, 4 * KiB, 2 * MiB, GiB, GiB};
  return size > 0 && size < 5 ? sizes[size] : 0;
}

}  // namespace

/// There is memory for it, whatever the machine has.
LBHM_EXPORT int hbw_check_available() { return 0; }

LBHM_EXPORT int hbw_set_policy(int wanted) {
  if (wanted < bind || wanted > bind_all) return EINVAL;
  int said = 0;
  return policy.compare_exchange_strong(said, wanted, std::memory_order_relaxed) ? 0 : EPERM;
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

/// The size of pages is a wish, too: blocks of the smaller ones begin at such a page.
LBHM_EXPORT int hbw_posix_memalign_psize(void** block, std::size_t alignment, std::size_t bytes, int page_size) {
  constexpr int strict = 3;
  const std::size_t pages = page_bytes_of(page_size);
  if (!pages || !std::has_single_bit(alignment) || (page_size == strict && bytes % pages)) return EINVAL;
  const std::size_t least = page_size < strict ? pages : 0;
  return wished_aligned(hbw_wish(), block, alignment > least ? alignment : least, bytes);
}

/// 0: the region is in memory of high bandwidth. Of a block that was asked for as such: LB-HM places it.
LBHM_EXPORT int hbw_verify_memory_region(void* address, std::size_t bytes, int flags) {
  constexpr int touch_pages = 1;
  if (!address || bytes == 0 || (flags & ~touch_pages)) return EINVAL;
  const std::size_t mark = lbhm_heap_mark(address);
  if (mark && wishes[mark - 1].tier == 0 && bytes <= lbhm_heap_bytes(address)) return 0;
  const RealMemkind* const real = real_memkind();
  return real ? real->verify(address, bytes, flags) : -1;
}
