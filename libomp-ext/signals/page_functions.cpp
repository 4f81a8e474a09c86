// Functions by which a program changes what its pages are: what it says holds, so watched pages are put back first.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdarg>
#include <cstdint>

#include "libomp-ext/real/real_function.h"
#include "runtime/sampling/watching.h"

namespace {

using lbhm::real::RealFunction;
using lbhm::watching::Pause;
using lbhm::watching::possible;

using Map = void*(void*, std::size_t, int, int, int, off_t);

constinit RealFunction<int(void*, std::size_t, int)> real_protect("mprotect");
constinit RealFunction<int(void*, std::size_t, int, int)> real_key_protect("pkey_mprotect");
constinit RealFunction<int(void*, std::size_t)> real_unmap("munmap");
constinit RealFunction<void*(void*, std::size_t, std::size_t, int, void*)> real_remap("mremap");
constinit RealFunction<Map> real_map("mmap");
constinit RealFunction<Map> real_map64("mmap64");

[[gnu::constructor]] void find_page_functions() {
  lbhm::real::find_all(real_protect, real_key_protect, real_unmap, real_remap, real_map, real_map64);
}

/// What is called may come before libc can be asked for its function.
template <class Function, class... Arguments>
auto call(RealFunction<Function>& real, long number, Arguments... arguments) {
  using Returned = decltype(real(arguments...));
  if (real.get()) return real(arguments...);
  return (Returned)syscall(number, arguments...);  // an int or an address
}

void* map(RealFunction<Map>& real, void* address, std::size_t bytes, int protection, int flags, int file,
          off_t offset) {
  if (!(flags & MAP_FIXED) || !possible()) return call(real, SYS_mmap, address, bytes, protection, flags, file, offset);
  const Pause pause(address, bytes);
  return call(real, SYS_mmap, address, bytes, protection, flags, file, offset);
}

}  // namespace

LBHM_EXPORT int mprotect(void* address, std::size_t bytes, int protection) noexcept {
  const Pause pause(address, bytes);
  return call(real_protect, SYS_mprotect, address, bytes, protection);
}
LBHM_EXPORT int pkey_mprotect(void* address, std::size_t bytes, int protection, int key) noexcept {
  const Pause pause(address, bytes);
  return call(real_key_protect, SYS_pkey_mprotect, address, bytes, protection, key);
}
LBHM_EXPORT int munmap(void* address, std::size_t bytes) noexcept {
  const Pause pause(address, bytes);
  return call(real_unmap, SYS_munmap, address, bytes);
}

LBHM_EXPORT void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return map(real_map, address, bytes, protection, flags, file, offset);
}
LBHM_EXPORT void* mmap64(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return map(real_map64, address, bytes, protection, flags, file, offset);
}

LBHM_EXPORT void* mremap(void* old, std::size_t old_bytes, std::size_t bytes, int flags, ...) noexcept {
  void* fresh = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list more;
    va_start(more, flags);
    fresh = va_arg(more, void*);
    va_end(more);
  }
  const Pause from(old, old_bytes);
  const Pause to(fresh, fresh ? bytes : 0);
  return call(real_remap, SYS_mremap, old, old_bytes, bytes, flags, fresh);
}
