// Two places that ask malloc for memory, each for ROUNDS rounds the only one that is read. Prints a sum.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "random_reads.h"

namespace {

void fill(std::uint64_t* data) {
  for (std::size_t i = 0; i < words; ++i) data[i] = i;
}

std::uint64_t rounds_on(const std::uint64_t* data, int rounds) {
  std::uint64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel for reduction(+ : sum)
    for (int part = 0; part < 4; ++part) sum += sum_of(data, 4000, static_cast<std::uint64_t>(round * 4 + part));
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int rounds = std::atoi(argv[1]);
  auto* const second = static_cast<std::uint64_t*>(std::malloc(words * 8));
  fill(second);
  auto* const first = static_cast<std::uint64_t*>(std::malloc(words * 8));
  fill(first);
  const std::uint64_t sum = rounds_on(first, rounds) + rounds_on(second, rounds);
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  std::free(first);
  std::free(second);
}
