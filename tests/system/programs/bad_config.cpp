// Calls LB_HM_config with every kind of mistake, and prints what lbhm_last_error says.
#include <omp.h>

#include <cstdio>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

void say(const char* mistake, const void* handle) {
  std::printf("%s: %s: %s\n", mistake, handle ? "planned" : "refused", handle ? "" : lbhm_last_error());
}

void* configure(void* object, int size) {
  void* objects[] = {object, nullptr};
  int sizes[] = {size};
  return LB_HM_config(static_cast<void*>(objects), sizes);
}

}  // namespace

int main() {
  if (!LB_HM_config) {
    std::puts("LB-HM is not loaded");
    return 0;
  }
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  void* managed = omp_alloc(1 << 20, allocator);
  std::vector<char> unmanaged(1 << 20);

  void* nothing[] = {nullptr};
  int no_sizes[] = {0};
  say("null lists", LB_HM_config(nullptr, nullptr));
  say("empty list", LB_HM_config(static_cast<void*>(nothing), no_sizes));
  say("size 0", configure(managed, 0));
  say("size -7", configure(managed, -7));
  say("too large", configure(managed, (1 << 20) + 1));
  say("unknown size", configure(unmanaged.data(), -1));
  say("null array", lbhm_config(nullptr, 3));
  const lbhm_object one{nullptr, 1, nullptr};
  say("absurd count", lbhm_config(&one, SIZE_MAX));
  say("null object", lbhm_config(&one, 1));
  const lbhm_object wrapping{unmanaged.data(), SIZE_MAX - 4096, nullptr};
  say("wrapping range", lbhm_config(&wrapping, 1));
  const lbhm_object not_mapped{reinterpret_cast<void*>(0x10010), 0, nullptr};
  say("not mapped", lbhm_config(&not_mapped, 1));
  void* const small = omp_alloc(100, allocator);
  void* const aligned = omp_aligned_alloc(4096, 5000, allocator);
  say("registered size", configure(managed, -1));
  say("size of a small one", configure(small, -1));
  say("size of an aligned one", configure(aligned, -1));
  omp_free(small, allocator);
  omp_free(aligned, allocator);
  say("unmanaged with a size", configure(unmanaged.data(), 1 << 20));
  omp_free(managed, allocator);
  omp_destroy_allocator(allocator);
}
