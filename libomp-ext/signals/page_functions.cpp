// Functions by which a program changes what its pages are: what it says holds, so watched pages are put back first, and
// objects that it unmaps end. What it maps may become an object (docs/using.md, section 5).
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>
#include <cstdint>

#include "runtime/engine/engine.h"
#include "runtime/host/sampling/watching.h"
#include "runtime/interpose/real_function.h"

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

bool objects_are_mapped() { return lbhm::engine::mapping_minimum() < lbhm::Bytes(UINT64_MAX); }

/// Ordinary memory anywhere, of which most will be used (not MAP_NORESERVE): what an object can be in place of.
bool is_plain(const void* address, int protection, int flags) {
  return !address && protection == (PROT_READ | PROT_WRITE) && flags == (MAP_PRIVATE | MAP_ANONYMOUS);
}

/// Null: the system is to map it.
void* object(std::size_t bytes, const void* caller) {
  const int before = errno;
  void* const mapped = lbhm::engine::map_object(lbhm::Bytes(bytes), caller);
  errno = before;
  return mapped;
}

/// What is an object there ends: the program has other plans for these pages.
void end_objects(void* address, std::size_t bytes, const void* caller) {
  if (!objects_are_mapped() || reinterpret_cast<std::uintptr_t>(address) % 4096 != 0) return;
  const int before = errno;
  lbhm::engine::end_objects(address, lbhm::Bytes(bytes), caller);
  errno = before;
}

/// True: it was an object, and is unmapped.
bool release_object(void* address, std::size_t bytes, const void* caller) {
  if (!objects_are_mapped()) return false;
  const int before = errno;
  const bool done = lbhm::engine::release_mapping(address, lbhm::Bytes(bytes), caller);
  errno = before;
  return done;
}

void* map(RealFunction<Map>& real, void* address, std::size_t bytes, int protection, int flags, int file, off_t offset,
          const void* caller) {
  if (objects_are_mapped() && is_plain(address, protection, flags)) {
    if (void* const mapped = object(bytes, caller)) return mapped;
  }
  if (!(flags & MAP_FIXED)) return call(real, SYS_mmap, address, bytes, protection, flags, file, offset);
  end_objects(address, bytes, caller);
  const Pause pause(address, bytes);
  return call(real, SYS_mmap, address, bytes, protection, flags, file, offset);
}

/// What shrinks stays an object; what grows or moves is the program's own from here on.
void end_before_remap(void* old, std::size_t old_bytes, std::size_t bytes, int flags, void* fresh, const void* caller) {
  const bool stays = !(flags & MREMAP_FIXED) && bytes <= old_bytes;
  if (fresh) end_objects(fresh, bytes, caller);
  const std::size_t kept = stays ? (bytes + 4095) / 4096 * 4096 : 0;
  if (kept < old_bytes) end_objects(static_cast<char*>(old) + kept, old_bytes - kept, caller);
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
  const void* const caller = __builtin_return_address(0);
  if (release_object(address, bytes, caller)) return 0;
  end_objects(address, bytes, caller);
  const Pause pause(address, bytes);
  return call(real_unmap, SYS_munmap, address, bytes);
}

LBHM_EXPORT void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return map(real_map, address, bytes, protection, flags, file, offset, __builtin_return_address(0));
}
LBHM_EXPORT void* mmap64(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return map(real_map64, address, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

LBHM_EXPORT void* mremap(void* old, std::size_t old_bytes, std::size_t bytes, int flags, ...) noexcept {
  void* fresh = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list more;
    va_start(more, flags);
    fresh = va_arg(more, void*);
    va_end(more);
  }
  end_before_remap(old, old_bytes, bytes, flags, fresh, __builtin_return_address(0));
  const Pause from(old, old_bytes);
  const Pause to(fresh, fresh ? bytes : 0);
  return call(real_remap, SYS_mremap, old, old_bytes, bytes, flags, fresh);
}
