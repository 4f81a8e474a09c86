// Where blocks lie: the offset in their page of a block of a static initialiser, one of main, a large one and a managed
// object.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t large = std::size_t{1} << 20;

void* take(std::size_t bytes) {
  void* volatile block = std::malloc(bytes);
  return block;
}

void* const of_initialiser = take(48);

void say(const char* what, const void* block) {
  std::printf("%s: %u\n", what, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(block) % 4096));
}

}  // namespace

int main() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t managed =
      omp_init_allocator(omp_default_mem_space, 1, const_cast<omp_alloctrait_t*>(traits));
  auto* const object = static_cast<unsigned char*>(omp_alloc(large, managed));
  say("static", of_initialiser);
  say("main", take(4096));
  say("large", take(large));
  say("managed", object);
#pragma omp parallel for
  for (std::size_t i = 0; i < large; i += 64) object[i] = 1;
}
