// A plain OpenMP program: malloc and new, no header of LB-HM. A large table that a gather goes through all the time and
// longer arrays that are streamed through once in a while; the table is allocated last, when fast memory is full.
//   plain [order [race]]: in which order arrays are allocated (a permutation of 0123), by lanes that race
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t cells = std::size_t{1} << 17;  // 1 MiB an array
double* arrays[3];
std::uint32_t* indices;
double* table;

[[gnu::noinline]] double* first() { return new double[cells]; }
[[gnu::noinline]] double* second() { return static_cast<double*>(std::malloc(cells * sizeof(double))); }
[[gnu::noinline]] double* third() { return static_cast<double*>(std::calloc(cells, sizeof(double))); }
[[gnu::noinline]] double* fourth() { return static_cast<double*>(aligned_alloc(64, cells * sizeof(double))); }

[[gnu::noinline]] void allocate(char which) {
  if (which == '0') arrays[0] = first();
  if (which == '1') arrays[1] = second();
  if (which == '2') arrays[2] = third();
  if (which == '3') table = fourth();
}

double stream(const double* from) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < cells; ++i) sum += from[i];
  return sum;
}

double gather() {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < cells; ++i) sum += table[indices[i]];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const order = argc > 1 ? argv[1] : "0123";
  if (argc > 2) {
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = 0; i < 4; ++i) allocate(order[i]);
  } else {
#pragma clang loop unroll(disable)  // one call, so that each array has one way to it
    for (int i = 0; i < 4; ++i) allocate(order[i]);
  }
  indices = static_cast<std::uint32_t*>(std::malloc(cells * sizeof(std::uint32_t)));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < cells; ++i) {
    for (double* array : arrays) array[i] = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    indices[i] = static_cast<std::uint32_t>(state >> 33) % cells;
  }
  for (std::size_t i = 0; i < cells; ++i) table[i] = static_cast<double>(i % 7);
  double sum = 0;
  for (int round = 0; round < 40; ++round) {
    if (round % 10 == 0) sum += stream(arrays[round / 10 % 3]);
    sum += gather();
    // Memory of one round, as from a wrapper: it is touched, used and freed.
    auto* const scratch = static_cast<double*>(std::realloc(std::malloc(cells), 2 * cells));
    std::memset(scratch, 0, 2 * cells);
    sum += scratch[round];
    std::free(scratch);
  }
  std::printf("sum %.1f\n", sum);
  delete[] arrays[0];
  std::free(arrays[1]);
  std::free(arrays[2]);
  std::free(table);
  std::free(indices);
}
