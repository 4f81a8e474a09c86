// Libraries that come and go while the program runs: their variables are objects as long as they are there.
#include <alloca.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstring>

#include "libc-ext/libc_functions.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "runtime/interpose/loaded_object.h"
#include "runtime/interpose/real_function.h"

namespace {

constinit lbhm::real::RealFunction<void*(const char*, int)> real_open("dlopen");
constinit lbhm::real::RealFunction<void*(Lmid_t, const char*, int)> real_open_in("dlmopen");
constinit lbhm::real::RealFunction<int(void*)> real_close("dlclose");

[[gnu::constructor]] void find_loader_functions() { lbhm::real::find_all(real_open, real_open_in, real_close); }

/// As dlopen of `caller`. The loader looks for a bare name where the one that calls it says (RUNPATH), and knows that
/// one by the return address, which is ours here: so its folders are asked for.
void* open_for(const void* caller, const char* path, int mode) {
  if (std::strchr(path, '/')) return real_open(path, mode);
  if (void* const loaded = real_open(path, mode | RTLD_NOLOAD)) return loaded;
  auto* const object = const_cast<link_map*>(lbhm::real::object_of(caller));
  Dl_serinfo size{};
  if (!object || dlinfo(object, RTLD_DI_SERINFOSIZE, &size) != 0) return real_open(path, mode);
  auto* const folders = static_cast<Dl_serinfo*>(std::memcpy(alloca(size.dls_size), &size, sizeof size));
  if (dlinfo(object, RTLD_DI_SERINFO, folders) != 0) folders->dls_cnt = 0;
  for (unsigned i = 0; i < folders->dls_cnt; ++i) {
    const Dl_serpath& folder = folders->dls_serpath[i];
    if (folder.dls_flags == LA_SER_DEFAULT) continue;  // our own look there, too, and in the cache before
    const std::size_t length = std::strlen(folder.dls_name), rest = std::strlen(path) + 1;
    auto* const file = static_cast<char*>(alloca(length + 1 + rest));
    std::memcpy(file, folder.dls_name, length);
    file[length] = '/';
    std::memcpy(file + length + 1, path, rest);
    if (access(file, R_OK) != 0) continue;
    if (void* const library = real_open(file, mode)) return library;
  }
  return real_open(path, mode);
}

bool is_bound_to_itself(const char* path, int mode) { return path && mode & RTLD_DEEPBIND; }

/// It calls libc's functions past us, so it gets others in their place.
void* open_bound_to_itself(const void* caller, const char* path, int mode) {
  const unsigned known = lbhm::heap::loaded_objects();
  void* const library = open_for(caller, path, mode);
  lbhm::heap::bind_checked(library, known);
  return library;
}

}  // namespace

// Where the loader does the rest the return address must stay the caller's.

LBHM_EXPORT void* dlopen(const char* path, int mode) {
  lbhm_heap_library_comes();
  if (is_bound_to_itself(path, mode)) return open_bound_to_itself(__builtin_return_address(0), path, mode);
  auto* const real = real_open.get();
  [[clang::musttail]] return real(path, mode);
}

/// By another name, for the header's declaration is noexcept, which keeps the compiler from jumping there.
LBHM_EXPORT void* lbhm_heap_dlmopen(Lmid_t space, const char* path, int mode) asm("dlmopen");

void* lbhm_heap_dlmopen(Lmid_t space, const char* path, int mode) {
  lbhm_heap_library_comes();
  if (space == LM_ID_BASE && is_bound_to_itself(path, mode))
    return open_bound_to_itself(__builtin_return_address(0), path, mode);
  auto* const real = real_open_in.get();
  [[clang::musttail]] return real(space, path, mode);
}

LBHM_EXPORT int dlclose(void* library) noexcept {
  const int result = real_close(library);
  lbhm_heap_library_gone();
  return result;
}
