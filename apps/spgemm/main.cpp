// SpGEMM as in Figure 1b of the Merchandiser paper: a list of matrices, each multiplied with its transpose in one
// parallel region with two synchronised steps. An ordinary OpenMP program; apps/common/placed_memory.cpp has all of
// LB-HM.
#include <omp.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/spgemm/matrices.h"
#include "apps/spgemm/spgemm.h"
#include "apps/spgemm/spgemm_options.h"

namespace {

using namespace spgemm;

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

/// True if every product was right.
bool run(const Options& options) {
  apps::measure(false);
  const std::vector<Input> inputs = make_inputs(options);
  print_header(options);
  bool all_verified = true;
  std::uint64_t sum = 0;
  for (const Input& input : inputs) {
    apps::measure(true);
    const double begin = omp_get_wtime();
    std::vector<Task> tasks = make_tasks(input.a.view(), input.b.view(), options.threads);
    apps::plan_placement(objects_of(input.b, tasks));
    multiply(tasks, input.b.view());
    const double seconds = omp_get_wtime() - begin;
    apps::measure(false);

    const bool verified = largest_difference(input.entries, tasks, options.seed) <= verification_tolerance;
    all_verified = all_verified && verified;
    sum = apps::combine_checksums(sum, checksum(tasks));
    print_input(input, tasks, verified);
    if (options.times) apps::print_time(input.name.c_str(), seconds);
  }
  apps::print_checksum(sum);
  return all_verified;
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{.name = "spgemm", .smaller = "Use a smaller --kron or --inputs."};
  return apps::run_program(program, argc, argv, parse_options, [](const Options& options) {
    if (run(options)) return 0;
    std::fputs("spgemm: a product is wrong: C*x differs from A*(A^T*x).\n", stderr);
    return 1;
  });
}
