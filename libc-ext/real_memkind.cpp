#include "libc-ext/real_memkind.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

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

constinit std::atomic<std::uintptr_t> code_begin{0}, code_end{0};

/// For dl_iterate_phdr: keeps where libmemkind lies, once found.
int keep_code(dl_phdr_info* object, std::size_t, void* function) {
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<std::uintptr_t>(begin, object->dlpi_addr + part.p_vaddr);
    end = std::max<std::uintptr_t>(end, object->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  if (address < begin || address >= end) return 0;
  code_begin = begin;
  code_end = end;
  return 1;
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
  keep(functions.destroy_kind, dlsym(library, "memkind_destroy_kind"));
  keep(functions.arena_free, dlsym(library, "memkind_arena_free"));
  keep(functions.arena_free_any, dlsym(library, "memkind_arena_free_with_kind_detect"));
  keep(functions.arena_realloc, dlsym(library, "memkind_arena_realloc"));
  keep(functions.arena_realloc_any, dlsym(library, "memkind_arena_realloc_with_kind_detect"));
  keep(functions.arena_detect_kind, dlsym(library, "memkind_arena_detect_kind"));
  keep(functions.default_free, dlsym(library, "memkind_default_free"));
  keep(functions.default_realloc, dlsym(library, "memkind_default_realloc"));
  keep(functions.default_usable_size, dlsym(library, "memkind_default_malloc_usable_size"));
  keep(functions.tier_free, dlsym(library, "memtier_kind_free"));
  keep(functions.tier_realloc, dlsym(library, "memtier_kind_realloc"));
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
    dl_iterate_phdr(keep_code, reinterpret_cast<void*>(functions.malloc));
    known.store(true, std::memory_order_release);
  }
  // Versions before 1.10 lack some of these.
  const bool whole = functions.malloc && functions.calloc && functions.realloc && functions.free &&
                     functions.posix_memalign && functions.usable_size && functions.check_available &&
                     functions.detect_kind && functions.verify && kinds[default_wish];
  return whole ? &functions : nullptr;
}

bool is_memkinds(const void* code) {
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  return address >= code_begin && address < code_end;
}

std::size_t wish_of(Kind kind) {
  if (!kind || !real_memkind()) return no_wish;
  std::size_t at = 0;
  while (at < no_wish && kinds[at] != kind) ++at;
  return at;
}

Kind kind_of(std::size_t wish) { return real_memkind() ? kinds[wish] : nullptr; }

}  // namespace lbhm::heap
