#include "apps/spgemm/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace spgemm {

void print_header(const Options& options) {
  std::printf("SpGEMM, C = A * A^T: %u inputs, %u threads, as many bins of rows\n", options.inputs, options.threads);
  std::printf("%-24s %10s %12s %14s %14s %9s %9s\n", "input", "rows", "non-zeros", "flops", "non-zeros of C",
              "imbalance", "verified");
}

void print_input(const Input& input, std::span<const Task> tasks, bool verified) {
  std::uint64_t sum = 0;
  std::uint64_t largest = 0;
  Offset nonzeros = 0;
  for (const Task& task : tasks) {
    sum += task.multiplications;
    largest = std::max(largest, task.multiplications);
    nonzeros += task.c_nonzeros;
  }
  const double mean = static_cast<double>(sum) / static_cast<double>(tasks.size());
  const double imbalance = sum == 0 ? 1.0 : static_cast<double>(largest) / mean;
  // A flop is a multiplication or an addition, as SpGEMM is usually counted. Imbalance: the heaviest bin over the mean.
  std::printf("%-24s %10" PRIu32 " %12" PRIu64 " %14" PRIu64 " %14" PRIu64 " %9.2f %9s\n", input.name.c_str(),
              input.a.rows, input.a.nonzeros(), 2 * sum, nonzeros, imbalance, verified ? "yes" : "NO");
}

}  // namespace spgemm
