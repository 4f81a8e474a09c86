// Lanes that mix two kinds of work, each in its own proportion: one waits for memory, the other computes.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint64_t places = 1 << 20;

/// Every step goes to another line of 8 MiB.
__attribute__((noinline)) std::uint64_t jump(const std::vector<std::uint64_t>& next, std::uint64_t from,
                                             std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) from = next[from];
  return from;
}

/// Touches no memory.
__attribute__((noinline)) std::uint64_t compute(std::uint64_t x, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) x = (x ^ (x >> 7)) * 0x9e3779b97f4a7c15 + i;
  return x;
}

}  // namespace

int main() {
  std::vector<std::uint64_t> next(places);
  // A full cycle: Hull and Dobell, with a factor that jumps far.
  for (std::uint64_t i = 0; i < places; ++i) next[i] = (i * 517 * 1024 + i + 12345) % places;
  std::uint64_t all = 0;
  for (std::uint64_t instance = 0; instance < 3; ++instance) {
#pragma omp parallel reduction(+ : all)
    {
      const auto lane = static_cast<std::uint64_t>(omp_get_thread_num());
      all += jump(next, lane * 1000, 20'000 * (1 + (lane + instance) % 4));
      all += compute(lane, 100'000 * (1 + (3 * lane + 2 * instance) % 5));
    }
  }
  std::printf("checksum: %llu\n", static_cast<unsigned long long>(all));
}
