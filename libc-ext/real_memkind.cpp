#include "libc-ext/real_memkind.h"

#include <dlfcn.h>

#include <atomic>

namespace lbhm::heap {
namespace {

constinit RealMemkind functions{};
constinit Kind kinds[no_wish]{};
constinit std::atomic<bool> known{false};
template <class Value>
void keep(Value*& place, void* found) {
  // Threads that come here at once write the same.
  std::atomic_ref(place).store(reinterpret_cast<Value*>(found), std::memory_order_relaxed);
}

void look_up(void* library) {
  keep(functions.malloc, dlsym(library, "memkind_malloc"));
  keep(functions.calloc, dlsym(library, "memkind_calloc"));
  keep(functions.realloc, dlsym(library, "memkind_realloc"));
  keep(functions.free, dlsym(library, "memkind_free"));
  keep(functions.posix_memalign, dlsym(library, "memkind_posix_memalign"));
  keep(functions.usable_size, dlsym(library, "memkind_malloc_usable_size"));
  keep(functions.check_available, dlsym(library, "memkind_check_available"));
  keep(functions.detect_kind, dlsym(library, "memkind_detect_kind"));
  keep(functions.defrag_reallocate, dlsym(library, "memkind_defrag_reallocate"));
  keep(functions.verify, dlsym(library, "hbw_verify_memory_region"));
  keep(functions.update_cached_stats, dlsym(library, "memkind_update_cached_stats"));
  keep(functions.get_stat, dlsym(library, "memkind_get_stat"));
  keep(functions.create_fixed, dlsym(library, "memkind_create_fixed"));
  keep(functions.arena_free, dlsym(library, "memkind_arena_free"));
  keep(functions.arena_free_any, dlsym(library, "memkind_arena_free_with_kind_detect"));
  keep(functions.arena_realloc, dlsym(library, "memkind_arena_realloc"));
  keep(functions.arena_realloc_any, dlsym(library, "memkind_arena_realloc_with_kind_detect"));
  keep(functions.arena_detect_kind, dlsym(library, "memkind_arena_detect_kind"));
  keep(functions.default_free, dlsym(library, "memkind_default_free"));
  keep(functions.default_realloc, dlsym(library, "memkind_default_realloc"));
  keep(functions.default_usable_size, dlsym(library, "memkind_default_malloc_usable_size"));
  for (std::size_t i = 0; i < no_wish; ++i) {
    void* const variable = dlsym(library, wishes[i].name);
    keep(kinds[i], variable ? *static_cast<void**>(variable) : nullptr);
  }
}

/// The process may have it for a library of its own alone, where RTLD_NEXT does not find it. It stays then.
void* library_at_hand() {
  if (dlsym(RTLD_NEXT, "memkind_malloc")) return RTLD_NEXT;
  return dlopen("libmemkind.so.0", RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace

const RealMemkind* real_memkind() {
  if (!known.load(std::memory_order_acquire)) {
    void* const library = library_at_hand();
    if (!library) return nullptr;  // it may come later
    look_up(library);
    known.store(true, std::memory_order_release);
  }
  // Versions before 1.10 lack some of these.
  const bool whole = functions.malloc && functions.calloc && functions.realloc && functions.free &&
                     functions.posix_memalign && functions.usable_size && functions.check_available &&
                     functions.detect_kind && functions.verify && kinds[default_wish];
  return whole ? &functions : nullptr;
}

std::size_t wish_of(Kind kind) {
  if (!kind || !real_memkind()) return no_wish;
  std::size_t at = 0;
  while (at < no_wish && kinds[at] != kind) ++at;
  return at;
}

Kind kind_of(std::size_t wish) { return real_memkind() ? kinds[wish] : nullptr; }

}  // namespace lbhm::heap
