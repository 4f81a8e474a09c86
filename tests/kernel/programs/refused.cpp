// refused: an OpenMP program with two managed objects of 8 MiB, each of which is the hot one of every other parallel
// region, and a list of small ones. It asks nothing of the kernel by itself: says a checksum, whatever is refused.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t words = 1 << 20;
constexpr int objects = 2, instances = 4;

/// First touch by writing, as in planned.cpp.
void touch(std::uint64_t* data) {
#pragma omp for schedule(static)
  for (std::size_t word = 0; word < words; word += 64) data[word] = word;
}

/// Every `step`-th word: few of them, because a virtual machine is slow.
void work(std::uint64_t* data, std::size_t step) {
#pragma omp for schedule(static)
  for (std::size_t word = 0; word < words; word += step) data[word] = data[word] * 3 + word;
}

struct Link {
  std::uint64_t value;
  Link* next;
};

/// Of a list whose links are wanted in the slow tier, and of their making and freeing.
std::uint64_t sum_of_links() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true), lbhm_tier_hint(1)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 2, traits);
  Link* first = nullptr;
  for (std::uint64_t value = 0; value < 1000; ++value) {
    auto* link = static_cast<Link*>(omp_alloc(sizeof(Link), allocator));
    *link = {value, first};
    first = link;
  }
  std::uint64_t sum = 0;
  while (first != nullptr) {
    Link* const link = first;
    first = link->next;
    sum = sum * 31 + link->value;
    omp_free(link, allocator);
  }
  omp_destroy_allocator(allocator);
  return sum;
}

}  // namespace

int main() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  std::uint64_t* data[objects];
  for (auto& object : data) object = static_cast<std::uint64_t*>(omp_alloc(words * sizeof *object, allocator));
  for (int instance = 0; instance < instances; ++instance) {
    const lbhm_object configured[] = {{data[0], words * sizeof **data, "first"},
                                      {data[1], words * sizeof **data, "second"}};
    if (lbhm_config) lbhm_config(configured, objects);
#pragma omp parallel
    for (int object = 0; object < objects; ++object) {
      if (instance == 0) touch(data[object]);
      work(data[object], instance % objects == object ? 4 : 64);
    }
  }
  std::uint64_t sum = sum_of_links();
  for (auto* object : data) {
    for (std::size_t word = 0; word < words; word += 4) sum = sum * 31 + object[word];
    omp_free(object, allocator);
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(sum));
}
