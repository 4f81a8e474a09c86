// memkind's statistics: what libmemkind counts, and the blocks that are objects.
#include <atomic>
#include <cstddef>

#include "libc-ext/real_memkind.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::heap;

// memkind.h: memkind_stat_type
constexpr int resident = 0, allocated = 2;

/// Of objects, by the marks of their kinds, as they were when the program asked for an update.
constinit std::atomic<std::size_t> bytes_of[no_wish + 1]{}, pages_of[no_wish + 1]{};

std::size_t objects(int stat, std::size_t mark) { return stat == allocated ? bytes_of[mark] : pages_of[mark]; }

std::size_t all_objects(int stat) {
  std::size_t sum = 0;
  for (std::size_t mark = 1; mark <= no_wish; ++mark) sum += objects(stat, mark);
  return sum;
}

}  // namespace

LBHM_EXPORT int memkind_update_cached_stats() {
  std::size_t bytes[no_wish + 1]{}, pages[no_wish + 1]{};
  lbhm_heap_add_marked(bytes, pages, no_wish + 1);
  for (std::size_t mark = 1; mark <= no_wish; ++mark) {
    bytes_of[mark] = bytes[mark];
    pages_of[mark] = pages[mark];
  }
  const RealMemkind* const real = real_memkind();
  return real && real->update_cached_stats ? real->update_cached_stats() : 0;
}

/// `kind` null: of all kinds.
LBHM_EXPORT int memkind_get_stat(Kind kind, int stat, std::size_t* value) {
  const RealMemkind* const real = real_memkind();
  if (!real || !real->get_stat) return -1;  // MEMKIND_ERROR_UNAVAILABLE
  const std::size_t wish = wish_of(kind);
  const Kind counted = at_hand(kind);
  if (wish != no_wish && wish != default_wish && counted == kind_of(default_wish) && stat >= resident &&
      stat <= allocated) {
    *value = 0;  // all that libmemkind has of it counts as ordinary memory
  } else if (const int error = real->get_stat(counted, stat, value)) {
    return error;
  }
  *value += !kind ? all_objects(stat) : wish == no_wish ? 0 : objects(stat, wish + 1);
  return 0;
}
