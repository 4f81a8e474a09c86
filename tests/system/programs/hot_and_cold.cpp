// Two places that ask malloc for memory: what the first one asks for is read once, what the second one asks for again
// and again, so that first touch has the wrong one in fast memory. Prints a sum.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "random_reads.h"

int main() {
  auto* const cold = static_cast<std::uint64_t*>(std::malloc(words * 8));
  for (std::size_t i = 0; i < words; ++i) cold[i] = i;
  auto* const hot = static_cast<std::uint64_t*>(std::malloc(words * 8));
  for (std::size_t i = 0; i < words; ++i) hot[i] = i;
  std::uint64_t sum = sum_of(cold, 1000, 1);
  for (int round = 0; round < 40; ++round) {
#pragma omp parallel for reduction(+ : sum)
    for (int part = 0; part < 4; ++part) sum += sum_of(hot, 4000, static_cast<std::uint64_t>(round * 4 + part));
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  std::free(hot);
  std::free(cold);
}
