#include "apps/tensor/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tensor {

void print_header(const Options& options) {
  std::printf("Sparse tensor contraction, Z = X * Y: %u inputs, %u threads, as many parts of X\n", options.inputs,
              options.threads);
  std::printf("%-28s %12s %12s %14s %14s %9s %9s\n", "input", "non-zeros X", "non-zeros Y", "products", "non-zeros Z",
              "imbalance", "verified");
}

void print_input(const Input& input, std::span<const Task> tasks, bool verified) {
  std::uint64_t sum = 0;
  std::uint64_t largest = 0;
  std::size_t nonzeros = 0;
  for (const Task& task : tasks) {
    sum += task.part.products;
    largest = std::max(largest, task.part.products);
    nonzeros += task.z_nonzeros;
  }
  // Imbalance: the products of the heaviest part over the mean.
  const double mean = static_cast<double>(sum) / static_cast<double>(tasks.size());
  const double imbalance = sum == 0 ? 1.0 : static_cast<double>(largest) / mean;
  std::printf("%-28s %12zu %12zu %14" PRIu64 " %14zu %9.2f %9s\n", input.name.c_str(), input.x.nonzeros(),
              input.y.nonzeros(), sum, nonzeros, imbalance, verified ? "yes" : "NO");
}

}  // namespace tensor
