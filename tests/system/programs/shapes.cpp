// One program, many shapes of parallelism: shapes NAME runs one of them and prints a checksum.
#include "shapes.h"

#include <omp.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace {

Index shuffled() {
  Index index(n);
  std::iota(index.begin(), index.end(), 0u);
  std::uint64_t state = 88172645463325252ull;
  for (std::size_t i = n - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    std::swap(index[i], index[state % (i + 1)]);
  }
  return index;
}

std::uint64_t static_schedule(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += index[index[i]] ^ i;
  return sum;
}

std::uint64_t dynamic_schedule(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i)
    if (index[i] % 7 < i * 7 / n) sum += index[index[i]] ^ i;
  return sum;
}

std::uint64_t guided_schedule(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += index[index[i]] & 0xff;
  return sum;
}

std::uint64_t barriers(const Index& index) {
  std::vector<std::uint64_t> part(static_cast<std::size_t>(omp_get_max_threads()) * 8);
  std::uint64_t sum = 0;
#pragma omp parallel
  {
    const auto lane = static_cast<std::size_t>(omp_get_thread_num());
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = lane; i < n / 4; i += 1 + lane) part[lane * 8] += index[i];
#pragma omp barrier
#pragma omp single
      sum += part[lane % 2 * 0] & 1;
    }
  }
  for (const auto p : part) sum += p;
  return sum;
}

std::uint64_t nested(const Index& index) {
  omp_set_max_active_levels(2);
  std::uint64_t sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    std::uint64_t inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inner)
    for (std::size_t i = 0; i < n / 8; ++i) inner += index[i];
    sum += inner;
  }
  return sum;
}

/// Sums of numbers whose rounding depends on the order.
std::uint64_t reductions(const Index& index) {
  double sum = 0;
  float product = 1;
#pragma omp parallel for schedule(static, 1000) reduction(+ : sum) reduction(* : product)
  for (std::size_t i = 0; i < n; ++i) {
    sum += 1.0 / (1 + index[i]) * (index[index[i]] % 3 == 0 ? 1e8 : 1e-3);
    product *= 1 + 1e-6f * static_cast<float>(index[i] % 5);
  }
  return std::bit_cast<std::uint64_t>(sum) ^ std::bit_cast<std::uint32_t>(product);
}

constexpr Shape loop_shapes[] = {{"static", static_schedule}, {"dynamic", dynamic_schedule},
                                 {"guided", guided_schedule}, {"barriers", barriers},
                                 {"nested", nested},          {"reductions", reductions}};

}  // namespace

int main(int argc, char** argv) {
  const Index index = shuffled();
  for (const auto shapes : {std::span<const Shape>(loop_shapes), waiting_shapes(), thread_shapes(), task_shapes()}) {
    for (const Shape& shape : shapes) {
      if (argc != 2 || std::strcmp(argv[1], shape.name) != 0) continue;
      std::printf("checksum: %016llx\n", static_cast<unsigned long long>(shape.run(index)));
      return 0;
    }
  }
  std::fprintf(stderr, "usage: shapes NAME\n");
  return 2;
}
