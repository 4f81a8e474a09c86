// Lanes that race for memory: each asks for blocks of its own in every round, uses them, gives some back at once,
// leaves some to its neighbour, and keeps one for the next round. Nothing here hangs on who comes first.
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int lanes = 4, rounds = 12;
constexpr std::size_t cells = 10'000;  // more than 64 KiB of doubles
double* handed[lanes];
double* kept[lanes];

[[gnu::noinline]] double* scratch(std::size_t count) {
  auto* const block = static_cast<double*>(std::malloc(count * sizeof(double)));
  for (std::size_t i = 0; i < count; ++i) block[i] = static_cast<double>(i % 7);
  return block;
}

double used(const double* block, std::size_t count, std::size_t stride) {
  double sum = 0;
  for (std::size_t round = 0, at = 0; round < 4 * count; ++round, at = (at + stride) % count) sum += block[at];
  return sum;
}

double one_round(int lane, int round) {
  const std::size_t count = cells + static_cast<std::size_t>((lane + round) % 3) * 5000;
  double* const own = scratch(count);
  double* const other = scratch(2 * cells);
  double sum = used(own, count, 4099) + used(other, 2 * cells, 4099);
  std::free(own);
  handed[lane] = other;
  if (round % 4 == lane) {
    std::free(kept[lane]);
    kept[lane] = scratch(3 * cells);
  }
  if (kept[lane]) sum += used(kept[lane], 3 * cells, 521);
#pragma omp barrier
  std::free(handed[(lane + 1) % lanes]);
  double* const again = scratch(2 * cells);
  sum += used(again, 2 * cells, 4099);
  std::free(again);
  return sum;
}

}  // namespace

int main() {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel num_threads(lanes) reduction(+ : sum)
    sum += one_round(omp_get_thread_num(), round);
  }
  for (double* block : kept) std::free(block);
  std::printf("sum %.1f\n", sum);
}
