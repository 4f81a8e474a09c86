// Objects from two places of the source, in the order that the arguments say: "first", "second", or "together", by
// lanes that race.
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "lbhm/omp_traits.h"

namespace {

omp_allocator_handle_t managed() {
  static const omp_allocator_handle_t allocator = [] {
    const omp_alloctrait_t traits[] = {lbhm_managed(true)};
    return omp_init_allocator(omp_default_mem_space, 1, const_cast<omp_alloctrait_t*>(traits));
  }();
  return allocator;
}

__attribute__((noinline)) void* make(std::size_t bytes) { return omp_alloc(bytes, managed()); }

// Each with its own size, so that the test can tell them apart.
__attribute__((noinline)) void* make_first() {
  void* const made = make(3 * 4096);
  return made ? made : nullptr;  // no tail call: the frame stays
}
__attribute__((noinline)) void* make_second() {
  void* const made = make(5 * 4096);
  return made ? made : nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  managed();
  std::vector<void*> made;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "together") != 0) {
      made.push_back(std::strcmp(argv[i], "first") == 0 ? make_first() : make_second());
      continue;
    }
    std::vector<void*> of_lane(4);
#pragma omp parallel num_threads(4)
    of_lane[static_cast<std::size_t>(omp_get_thread_num())] = omp_get_thread_num() % 2 ? make_first() : make_second();
    made.insert(made.end(), of_lane.begin(), of_lane.end());
  }
  for (void* object : made) {
    static_cast<char*>(object)[0] = 1;
    omp_free(object, managed());
  }
  std::printf("objects: %zu\n", made.size());
}
