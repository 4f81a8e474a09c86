// Blocks of arenas must not reach glibc's functions. Large ones survive it (allocators/chunk_header.h); small ones have
// no room for what glibc looks at. So whoever asks libc itself for a function that takes a block gets one that asks
// first whose the block is, and goes on to glibc's, never to the front: a tool that wraps malloc would call itself.
#include "libc-ext/libc_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>

#include "libc-ext/large_blocks.h"
#include "libc-ext/malloc_functions.h"
#include "libc-ext/process_malloc.h"
#include "runtime/interpose/loaded_object.h"
#include "runtime/interpose/real_function.h"
#include "runtime/interpose/slots.h"

namespace lbhm::heap {
namespace {

constinit real::RealFunction<void(void*)> libc_free("__libc_free");
constinit real::RealFunction<void*(void*, std::size_t)> libc_realloc("__libc_realloc");

using Look = void*(void*, const char*) noexcept;
using LookForVersion = void*(void*, const char*, const char*) noexcept;

/// Ours stand in front of them, so nobody can be asked for them but the object itself.
template <class Function>
Function* function_of_loader(std::atomic<Function*>& found, const char* name) {
  Function* real = found.load(std::memory_order_relaxed);
  if (real) return real;
  const link_map* const loader = real::object_of(reinterpret_cast<const void*>(dlinfo));
  real = reinterpret_cast<Function*>(real::function_in(loader->l_addr, loader->l_ld, name));
  found.store(real, std::memory_order_relaxed);
  return real;
}
Look* real_dlsym() {
  static constinit std::atomic<Look*> found{nullptr};
  return function_of_loader(found, "dlsym");
}
LookForVersion* real_dlvsym() {
  static constinit std::atomic<LookForVersion*> found{nullptr};
  return function_of_loader(found, "dlvsym");
}

[[gnu::constructor]] void find_functions() {
  real::find_all(libc_free, libc_realloc);
  real_dlsym();
  real_dlvsym();
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
  const auto same = [&](const char* taker) { return real::same_name(name, taker); };
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
  const ElfW(Dyn)* const dynamic = real::dynamic_of(*object);
  if (!dynamic) return 0;
  real::for_each_slot(object->dlpi_addr, dynamic, [&](const char* name, ElfW(Addr) slot) {
    void* const there = *reinterpret_cast<void**>(slot);  // NOLINT(performance-no-int-to-ptr)
    void* const wanted = wanted_in(pass, *object, name, there);
    if (wanted != there && wanted != pass.found[number_of(name)]) real::write_slot(slot, wanted);
  });
  return 0;
}

struct Question {
  const char* name;
  const link_map *libc, *ours;
};

int has_it_too(dl_phdr_info* object, std::size_t, void* data) {
  const auto& question = *static_cast<const Question*>(data);
  if (object->dlpi_addr == question.libc->l_addr || object->dlpi_addr == question.ours->l_addr) return 0;
  const ElfW(Dyn)* const dynamic = real::dynamic_of(*object);
  return dynamic && real::function_in(object->dlpi_addr, dynamic, question.name) ? 1 : 0;
}

/// The function of libc that is behind `caller`, which is none of ours; null: it is to be looked for, as others than
/// libc have one, or it takes no blocks.
void* libcs(const char* name, const void* caller) {
  if (number_of(name) == names.size() || limit.load(std::memory_order_relaxed) == SIZE_MAX) return nullptr;
  Question question{.name = name,
                    .libc = real::object_of(reinterpret_cast<const void*>(process.free)),
                    .ours = real::object_of(reinterpret_cast<const void*>(has_it_too))};
  if (real::object_of(caller) == question.ours || dl_iterate_phdr(has_it_too, &question) != 0) return nullptr;
  return real::function_in(question.libc->l_addr, question.libc->l_ld, name);
}

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

}  // namespace lbhm::heap

using namespace lbhm::heap;

// The real ones go by who calls where they look behind or around the caller: there the caller must stay it. Only for
// what takes blocks we know better: what is behind is libc, and what is around is the front, also with RTLD_DEEPBIND.

LBHM_EXPORT void* dlsym(void* handle, const char* name) noexcept {
  auto* const real = real_dlsym();
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* const found = libcs(name, __builtin_return_address(0));
    if (found) return handle == RTLD_NEXT ? checked(found) : real(handle, name);
  } else if (number_of(name) < names.size()) {
    return checked(real(handle, name));
  }
  [[clang::musttail]] return real(handle, name);
}

LBHM_EXPORT void* dlvsym(void* handle, const char* name, const char* version) noexcept {
  auto* const real = real_dlvsym();
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) {
    void* const found = libcs(name, __builtin_return_address(0));
    if (found) return handle == RTLD_NEXT ? checked(found) : real(handle, name, version);
  } else if (number_of(name) < names.size()) {
    return checked(real(handle, name, version));
  }
  [[clang::musttail]] return real(handle, name, version);
}

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's, for programs that replace a part of the family
LBHM_EXPORT void __libc_free(void* block) { own_bytes(block) ? release(block) : libc_free(block); }
LBHM_EXPORT void* __libc_realloc(void* block, std::size_t bytes) {
  return own_bytes(block) ? resize(block, bytes) : libc_realloc(block, bytes);
}
// NOLINTEND(bugprone-reserved-identifier)
LBHM_EXPORT void cfree(void* block) { release(block); }
