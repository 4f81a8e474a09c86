// A program that is not linked with libmemkind: it loads it when it runs, or takes what the process has. The word is
// the way. It ends with 1 and a line when something is wrong.
#include <dlfcn.h>

#include <cstring>

#include "blocks.h"

namespace {

struct memkind;

template <class Function>
Function* find(void* where, const char* name) {
  return reinterpret_cast<Function*>(dlsym(where, name));
}

/// Through the library itself: LB-HM is not asked. What it gives goes back to it.
void loaded() {
  void* const before = std::malloc(MiB);
  void* const library = dlopen("libmemkind.so.0", RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  memkind* const ordinary = *static_cast<memkind**>(dlsym(library, "MEMKIND_DEFAULT"));
  auto* const allocate = find<void*(memkind*, std::size_t)>(library, "memkind_malloc");
  auto* const release = find<void(memkind*, void*)>(library, "memkind_free");
  for (const std::size_t bytes : sizes) {
    void* const first = allocate(ordinary, bytes);
    void* const second = allocate(ordinary, bytes);
    fill(first, bytes, 1);
    fill(second, bytes, 2);
    release(ordinary, first);
    CHECK(holds(second, bytes, 2));
    release(nullptr, second);
    // By the functions that the process finds first, which may be LB-HM's.
    if (auto* const front = find<void*(memkind*, void*, std::size_t)>(RTLD_DEFAULT, "memkind_realloc")) {
      void* block = allocate(ordinary, bytes);
      fill(block, bytes, 3);
      block = front(ordinary, block, 2 * bytes);
      CHECK(block && holds(block, bytes, 3));
      find<void(memkind*, void*)>(RTLD_DEFAULT, "memkind_free")(nullptr, block);
    }
  }
  std::free(before);
}

/// Where LB-HM is in the process its functions are there without libmemkind.
void found() {
  auto* const available = find<int()>(RTLD_DEFAULT, "hbw_check_available");
  if (!available) return;
  CHECK(available() == 0);
  auto* const allocate = find<void*(std::size_t)>(RTLD_DEFAULT, "hbw_malloc");
  auto* const resize = find<void*(void*, std::size_t)>(RTLD_DEFAULT, "hbw_realloc");
  auto* const release = find<void(void*)>(RTLD_DEFAULT, "hbw_free");
  for (const std::size_t bytes : sizes) {
    void* block = allocate(bytes);
    CHECK(block);
    fill(block, bytes, 4);
    block = resize(block, bytes + 70 * KiB);
    CHECK(block && holds(block, bytes, 4));
    release(block);
    std::free(allocate(bytes));
    release(std::malloc(bytes));
  }
}

}  // namespace

int main(int, char** words) {
  std::strcmp(words[1], "loaded") == 0 ? loaded() : found();
  std::printf("%s: right\n", words[1]);
}
