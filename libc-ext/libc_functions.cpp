// Blocks of arenas must not reach glibc's functions. Large ones survive it (allocators/chunk_header.h); small ones have
// no room for what glibc looks at. So whoever asks libc itself for a function that takes a block gets one that asks
// first whose the block is, and goes on to glibc's, never to the front: a tool that wraps malloc would call itself.
#include "libc-ext/libc_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <iterator>

#include "libc-ext/large_blocks.h"
#include "libc-ext/malloc_functions.h"
#include "libc-ext/process_malloc.h"
#include "libomp-ext/real/loaded_object.h"
#include "libomp-ext/real/real_function.h"
#include "libomp-ext/real/slots.h"

namespace lbhm::heap {
namespace {

constinit real::RealFunction<void(void*)> libc_free("__libc_free");
constinit real::RealFunction<void*(void*, std::size_t)> libc_realloc("__libc_realloc");

using Look = void*(void*, const char*) noexcept;

/// Ours stands in front of dlsym, but not of dlvsym.
Look* real_dlsym() {
  static constinit std::atomic<Look*> found{nullptr};
  Look* real = found.load(std::memory_order_relaxed);
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"})
    if (!real) real = reinterpret_cast<Look*>(dlvsym(RTLD_NEXT, "dlsym", version));
  found.store(real, std::memory_order_relaxed);
  return real;
}

[[gnu::constructor]] void find_functions() {
  real::find_all(libc_free, libc_realloc);
  real_dlsym();
}

void free_checked(void* block) { own_bytes(block) ? release(block) : process.free(block); }
void* realloc_checked(void* block, std::size_t bytes) {
  return own_bytes(block) ? resize(block, bytes) : process.realloc(block, bytes);
}
std::size_t usable_size_checked(void* block) {
  const std::size_t bytes = own_bytes(block);
  return bytes ? bytes : process.malloc_usable_size(block);
}

/// In place of a function of libc; other addresses stay. Where no block is ours, none has to be asked for.
void* checked(void* function) {
  if (limit.load(std::memory_order_relaxed) == SIZE_MAX) return function;
  const auto is = [&](auto* libcs) { return function == reinterpret_cast<void*>(libcs); };
  if (is(process.free)) return reinterpret_cast<void*>(free_checked);
  if (is(process.realloc)) return reinterpret_cast<void*>(realloc_checked);
  if (is(process.malloc_usable_size)) return reinterpret_cast<void*>(usable_size_checked);
  return function;
}

constexpr std::array names{"free", "realloc", "malloc_usable_size", "__libc_free", "__libc_realloc", "cfree"};

std::size_t number_of(const char* name) {
  const auto same = [&](const char* taker) { return std::strcmp(name, taker) == 0; };
  return static_cast<std::size_t>(std::ranges::find_if(names, same) - names.begin());
}

struct Pass {
  void* found[names.size()];  ///< by name, as the library finds it
  unsigned known, seen;
};

/// A slot that was not used yet leads to the loader, by a stub of the object itself.
void* wanted_in(const Pass& pass, const dl_phdr_info& object, const char* name, void* there) {
  const std::size_t number = number_of(name);
  if (number == names.size()) return there;
  const link_map* const led_to = real::object_of(there);
  const bool unused = led_to && led_to->l_addr == object.dlpi_addr;
  return checked(unused ? pass.found[number] : there);
}

int bind_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& pass = *static_cast<Pass*>(data);
  if (pass.seen++ < pass.known) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    // NOLINTBEGIN(performance-no-int-to-ptr): tables of the loader's
    const auto* const dynamic = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    real::for_each_slot(object->dlpi_addr, dynamic, [&](const char* name, ElfW(Addr) slot) {
      void* const there = *reinterpret_cast<void**>(slot);
      void* const wanted = wanted_in(pass, *object, name, there);
      if (wanted != there && wanted != pass.found[number_of(name)]) real::write_slot(slot, wanted);
    });
    // NOLINTEND(performance-no-int-to-ptr)
  }
  return 0;
}

constinit std::atomic<unsigned> waiting{0};  ///< objects that are no part of it; 0: no library waits

}  // namespace

unsigned loaded_objects() {
  unsigned count = 0;
  dl_iterate_phdr([](dl_phdr_info*, std::size_t, void* data) { return ++*static_cast<unsigned*>(data), 0; }, &count);
  return count;
}

void bind_checked(void* handle, unsigned known) {
  if (!handle || limit.load(std::memory_order_relaxed) == SIZE_MAX) return;
  Pass pass{.found = {}, .known = known, .seen = 0};
  std::ranges::transform(names, pass.found, [&](const char* name) { return real_dlsym()(handle, name); });
  dlerror();  // of names that this libc does not have
  dl_iterate_phdr(bind_object, &pass);
}

void bind_checked_later(unsigned known) { waiting.store(known, std::memory_order_relaxed); }

}  // namespace lbhm::heap

using namespace lbhm::heap;

/// The real one goes by who calls where it looks behind or around the caller: there the caller must stay it.
LBHM_EXPORT void* dlsym(void* handle, const char* name) noexcept {
  auto* const real = real_dlsym();
  if (handle != RTLD_NEXT && handle != RTLD_DEFAULT) {
    if (waiting.load(std::memory_order_relaxed) != 0) bind_checked(handle, waiting.exchange(0));
    if (number_of(name) < names.size()) return checked(real(handle, name));
  }
  [[clang::musttail]] return real(handle, name);
}

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's, for programs that replace a part of the family
LBHM_EXPORT void __libc_free(void* block) { own_bytes(block) ? release(block) : libc_free(block); }
LBHM_EXPORT void* __libc_realloc(void* block, std::size_t bytes) {
  return own_bytes(block) ? resize(block, bytes) : libc_realloc(block, bytes);
}
// NOLINTEND(bugprone-reserved-identifier)
LBHM_EXPORT void cfree(void* block) { release(block); }
