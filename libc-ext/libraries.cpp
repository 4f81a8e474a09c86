// Libraries that come and go while the program runs: their variables are objects as long as they are there.
#include <dlfcn.h>

#include <cstring>

#include "libc-ext/libc_functions.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "libomp-ext/real/real_function.h"

namespace {

constinit lbhm::real::RealFunction<void*(const char*, int)> real_open("dlopen");
constinit lbhm::real::RealFunction<int(void*)> real_close("dlclose");

[[gnu::constructor]] void find_loader_functions() { lbhm::real::find_all(real_open, real_close); }

}  // namespace

/// The loader looks for a bare name where the one that calls it says (RUNPATH), and knows that one by the return
/// address: it must stay the caller's.
LBHM_EXPORT void* dlopen(const char* path, int mode) {
  lbhm_heap_library_comes();
  auto* const real = real_open.get();
  if (path && mode & RTLD_DEEPBIND) {
    const unsigned known = lbhm::heap::loaded_objects();
    if (std::strchr(path, '/')) {
      void* const library = real(path, mode);
      lbhm::heap::bind_checked(library, known);
      return library;
    }
    lbhm::heap::bind_checked_later(known);
  }
  [[clang::musttail]] return real(path, mode);
}

LBHM_EXPORT int dlclose(void* library) noexcept {
  const int result = real_close(library);
  lbhm_heap_library_gone();
  return result;
}
