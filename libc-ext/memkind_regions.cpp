// hbw_verify_memory_region: whether a region is in memory of high bandwidth, which blocks are that were asked for as
// such, wherever LB-HM has them now. As libmemkind, it looks at whole pages, and those that nobody has used are
// nowhere.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "libc-ext/large_blocks.h"
#include "libc-ext/real_memkind.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::heap;

bool is_fast(std::size_t wish) { return wish < no_wish && wishes[wish].tier == 0; }

/// Up to where memory goes on that was asked for as such; null: `at` is not in any.
const char* end_of_fast(const char* at) {
  if (const std::size_t wish = wish_at(at); is_fast(wish)) return end_of_stand_in(wish);
  std::size_t mark = 0;
  const void* const end = lbhm_heap_marked_around(at, &mark);
  return end && is_fast(mark - 1) ? static_cast<const char*>(end) : nullptr;
}

char* page_of(const char* at) { return const_cast<char*>(at - reinterpret_cast<std::uintptr_t>(at) % page); }

bool all_used(const char* begin, const char* end) {
  constexpr std::size_t most = 64;
  unsigned char used[most];
  for (char* at = page_of(begin); at < end; at += most * page) {
    const std::size_t pages = std::min<std::size_t>(most, static_cast<std::size_t>(end - at + page - 1) / page);
    if (mincore(at, pages * page, used) != 0) return false;
    if (!std::all_of(used, used + pages, [](unsigned char bits) { return bits & 1; })) return false;
  }
  return true;
}

void touch(const char* begin, const char* end) {
  for (char* at = page_of(begin); at < end; at += page) {
    volatile char* const first = at;
    *first = *first;
  }
}

}  // namespace

LBHM_EXPORT int hbw_verify_memory_region(void* address, std::size_t bytes, int flags) {
  constexpr int touch_pages = 1, not_fast = -1;
  if (!address || bytes == 0 || (flags & ~touch_pages)) return EINVAL;
  const char* at = static_cast<const char*>(address);
  const bool wraps = bytes > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(at);  // libmemkind's loop ends at once then
  const char* const end = wraps ? at + 1 : at + bytes;
  while (at < end) {
    const char* const fast_end = end_of_fast(at);
    const RealMemkind* const real = real_memkind();
    if (!fast_end)
      return real ? real->verify(const_cast<char*>(at), static_cast<std::size_t>(end - at), flags) : not_fast;
    const char* const stop = std::min<const char*>(end, page_of(fast_end + page - 1));
    const int before = errno;
    if (flags & touch_pages) touch(at, stop);
    const bool used = all_used(at, stop);
    errno = before;
    if (!used) return not_fast;
    at = stop;
  }
  return 0;
}
