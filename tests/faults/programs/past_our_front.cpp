// Blocks of malloc that the C library's own functions resize and free: those that a foreign-function interface finds.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/faults/programs/program.h"

namespace {

constexpr std::size_t large = 3 << 20;

template <class Function>
Function of_libc(const char* name) {
  void* const libc = dlopen("libc.so.6", RTLD_NOW);
  return reinterpret_cast<Function>(dlsym(libc, name));
}

bool filled(const char* block, char value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 4095)
    if (block[i] != value) return false;
  return true;
}

}  // namespace

int main() {
  const auto release = of_libc<void (*)(void*)>("free");
  const auto resize = of_libc<void* (*)(void*, std::size_t)>("realloc");
  const auto size = of_libc<std::size_t (*)(void*)>("malloc_usable_size");
  const faults::Array array(1 << 18);
  int wrong = 0;
  for (int i = 0; i < 20; ++i) {
    auto* block = static_cast<char*>(std::malloc(large));
    std::memset(block, i, large);
    faults::add_one(array);
    wrong += size(block) < large;
    block = static_cast<char*>(i % 2 ? resize(block, 2 * large) : std::realloc(block, 2 * large));
    wrong += !filled(block, static_cast<char>(i), large);
    i % 3 ? release(block) : std::free(block);
  }
  std::printf("wrong blocks %d, sum %.0f\n", wrong, array.sum());
  return faults::finish();
}
