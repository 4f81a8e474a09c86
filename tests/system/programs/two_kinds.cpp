// One call of LB_HM_config, two kinds of work in turn: over a large array and a small one, and the other way round.
// The argument says how the program tells them apart: "name", "number", "not" (sizes tell) or "taken back".
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t large = 1 << 17, small = 1 << 14;  // elements

std::uint64_t sum_of(const std::uint64_t* array, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += array[i];
  return sum;
}

void say_kind(std::string_view how, bool odd) {
  if (how == "name") lbhm_phase(odd ? "odd" : "even");
  if (how == "number") lbhm_phase_number(odd ? -7 : 1LL << 40);
  if (how != "taken back") return;
  lbhm_phase("of no call");
  lbhm_phase(nullptr);
}

}  // namespace

int main(int, char** arguments) {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  auto* const first = static_cast<std::uint64_t*>(omp_alloc(large * sizeof(std::uint64_t), allocator));
  auto* const second = static_cast<std::uint64_t*>(omp_alloc(large * sizeof(std::uint64_t), allocator));
  for (std::size_t i = 0; i < large; ++i) first[i] = second[i] = i;
  std::uint64_t sum = 0;
  for (int instance = 0; instance < 12; ++instance) {
    const bool odd = instance % 2 == 1;
    const std::size_t sizes[] = {odd ? small : large, odd ? large : small};
    const lbhm_object objects[] = {{first, sizes[0] * sizeof(std::uint64_t), "first"},
                                   {second, sizes[1] * sizeof(std::uint64_t), "second"}};
    if (lbhm_config) {
      say_kind(arguments[1], odd);
      if (!lbhm_config(objects, 2)) std::fprintf(stderr, "not planned: %s\n", lbhm_last_error());
    }
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num() == 0 ? sum_of(first, sizes[0]) : sum_of(second, sizes[1]);
  }
  omp_free(first, allocator);
  omp_free(second, allocator);
  omp_destroy_allocator(allocator);
  std::printf("checksum: %016llx\n", static_cast<unsigned long long>(sum));
}
