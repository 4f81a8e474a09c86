// To be preloaded: a malloc with variables that its first caller makes, as heap profilers have it.
#include <unistd.h>

#include <cstddef>

extern "C" void* __libc_malloc(std::size_t bytes);

extern "C" void* malloc(std::size_t bytes) {
  static const long page = sysconf(_SC_PAGESIZE);
  thread_local const pid_t thread = gettid();
  return page > 0 && thread > 0 ? __libc_malloc(bytes) : nullptr;
}
