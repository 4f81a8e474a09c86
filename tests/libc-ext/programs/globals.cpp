// A program whose memory is variables and mappings, no header of LB-HM: a table that a gather goes through all the time
// and arrays that are only written in the beginning, which fill fast memory before.
//   globals [library]: with a table of a library, which is loaded, used and closed before each of the rounds
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>

namespace field {

constexpr std::size_t cells = std::size_t{1} << 17;  // 1 MiB an array
double filler[cells];
double table[cells];
std::uint32_t indices[cells];

double gather(const double* from) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < cells; ++i) sum += from[indices[i]];
  return sum;
}

double gather_from(const char* path) {
  void* const library = dlopen(path, RTLD_NOW);
  auto* const shared = library ? static_cast<double*>(dlsym(library, "shared_table")) : nullptr;
  if (!shared) return std::puts(dlerror()), 0;
  for (std::size_t i = 0; i < cells; ++i) shared[i] = static_cast<double>(i % 5);
  double sum = 0;
  for (int round = 0; round < 10; ++round) sum += gather(shared);
  dlclose(library);
  return sum;
}

}  // namespace field

int main(int argc, char** argv) {
  using namespace field;
  constexpr std::size_t bytes = cells * sizeof(double);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const mapping = static_cast<double*>(memory);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < cells; ++i) {
    filler[i] = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    indices[i] = static_cast<std::uint32_t>(state >> 33) % cells;
  }
  for (std::size_t i = 0; i < cells; ++i) mapping[i] = filler[i];
  for (std::size_t i = 0; i < cells; ++i) table[i] = static_cast<double>(i % 7);
  double sum = 0;
  for (int round = 0; round < 40; ++round) {
    if (argc > 1 && round % 20 == 0) sum += gather_from(argv[1]);
    sum += gather(round % 8 == 0 ? mapping : table);
  }
  std::printf("sum %.1f\n", sum);
  munmap(memory, bytes);
}
