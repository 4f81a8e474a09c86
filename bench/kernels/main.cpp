// bench-kernels NAME [SWEEPS]: runs one kernel in a parallel region of one thread and prints what it took, as JSON.
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string_view>

#include "bench/kernels/kernel.h"

namespace {

using namespace bench;

constexpr KernelEntry kernels[] = {
    {"triad", make_triad, 20},
    {"gather", make_gather, 5},
    {"chase", make_chase, 2},
    {"spmv", make_spmv, 10},
    {"jacobi", make_jacobi, 15},
    {"triad-large", make_large_triad, 1},
    {"gather-large", make_large_gather, 1},
};

/// Real time: on the emulated machine omp_get_wtime and clock_gettime tell virtual time, a system call does not.
double real_seconds() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(const KernelEntry& entry, unsigned sweeps) {
  const std::unique_ptr<Kernel> kernel = entry.make();
  double check = kernel->sweep();  // pages and caches are warm after it
  double seconds = 0;
#pragma omp parallel num_threads(1)
  {
    const double begin = real_seconds();
    for (unsigned i = 0; i < sweeps; ++i) check += kernel->sweep();
    seconds = real_seconds() - begin;
  }
  std::printf("{\"kernel\": \"%s\", \"accesses\": %" PRIu64 ", \"seconds\": %.9f, \"check\": %.17g}\n", entry.name,
              sweeps * kernel->accesses(), seconds, check);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "", sweeps = argc > 2 ? argv[2] : "";
  for (const KernelEntry& entry : kernels) {
    if (name != entry.name || argc > 3) continue;
    unsigned number = entry.sweeps;
    const char* const end = sweeps.data() + sweeps.size();
    if (argc > 2 && (std::from_chars(sweeps.data(), end, number).ptr != end || number == 0)) break;
    run(entry, number);
    return 0;
  }
  std::fputs("Usage: bench-kernels triad|gather|chase|spmv|jacobi|triad-large|gather-large [SWEEPS]\n", stderr);
  return 2;
}
