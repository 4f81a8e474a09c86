// Preloaded in front of liblbhm.so: says of the objects of a program's heap, in the order of their births, on which
// nodes their pages were when the program gave them back, or when it ended. Its name begins with liblbhm-heap.so, as
// whose calls its own are no part of sites.
#include <dlfcn.h>

#include <array>
#include <mutex>

#include "programs/nodes.h"

namespace {

struct Born {
  void* address;
  std::size_t bytes;
  kernel_test::Where at;
  bool gone;
};

std::mutex mutex;
std::array<Born, 4096> all;
std::size_t count = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void look(Born& object) { object.at = kernel_test::where(facts::nodes_of(object.address, object.bytes)); }

[[gnu::destructor]] void print() {
  for (std::size_t i = 0; i < count; ++i) {
    if (!all[i].gone) look(all[i]);
    std::printf("nodes born-%zu %ld %ld %ld\nnumber bytes-%zu %zu\n", i, all[i].at.fast, all[i].at.slow,
                all[i].at.absent, i, all[i].bytes);
  }
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void* lbhm_heap_allocate(std::size_t bytes, std::size_t alignment,
                                                                   const void* caller, int zeroed) {
  static auto* const real = next<void*(std::size_t, std::size_t, const void*, int)>("lbhm_heap_allocate");
  void* const address = real(bytes, alignment, caller, zeroed);
  const std::lock_guard lock(mutex);
  if (address && count < all.size()) all[count++] = {address, bytes, {}, false};
  return address;
}

extern "C" [[gnu::visibility("default")]] int lbhm_heap_release(void* address) {
  static auto* const real = next<int(void*)>("lbhm_heap_release");
  {
    const std::lock_guard lock(mutex);
    for (std::size_t i = count; i-- > 0;) {
      if (all[i].address != address || all[i].gone) continue;
      look(all[i]);
      all[i].gone = true;
      break;
    }
  }
  return real(address);
}
