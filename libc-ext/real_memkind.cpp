#include "libc-ext/real_memkind.h"

#include <dlfcn.h>

#include <atomic>

namespace lbhm::heap {
namespace {

constinit RealMemkind functions{};
constinit Kind kinds[no_wish]{};
constinit std::atomic<bool> known{false};
/// Of each kind: 0 (not asked yet), or 1 + whether libmemkind has no such memory.
constinit std::atomic<signed char> absent[no_wish]{};

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

Kind kind_at_hand(std::size_t wish) {
  const RealMemkind* const real = real_memkind();
  if (!real) return nullptr;
  signed char answer = absent[wish].load(std::memory_order_relaxed);
  if (answer == 0) {
    answer = kinds[wish] && real->check_available(kinds[wish]) == 0 ? 1 : 2;
    absent[wish].store(answer, std::memory_order_relaxed);
  }
  return kinds[answer == 1 ? wish : default_wish];
}

}  // namespace lbhm::heap
