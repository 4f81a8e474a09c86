// Streams through an array that was asked for as the word says: hbw, capacity or plain.
#include <hbwmalloc.h>
#include <memkind.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int, char** words) {
  constexpr std::size_t cells = std::size_t{1} << 20;
  void* block = nullptr;
  if (std::strcmp(words[1], "hbw") == 0) block = hbw_malloc(cells * sizeof(double));
  if (std::strcmp(words[1], "capacity") == 0) block = memkind_malloc(MEMKIND_HIGHEST_CAPACITY, cells * sizeof(double));
  if (std::strcmp(words[1], "plain") == 0) block = std::malloc(cells * sizeof(double));
  auto* const array = static_cast<double*>(block);
  double sum = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < cells; ++i) sum += array[i] = static_cast<double>(i % 7);
  }
  std::printf("sum %.1f\n", sum);
  std::strcmp(words[1], "plain") == 0 ? std::free(block) : memkind_free(nullptr, block);
}
