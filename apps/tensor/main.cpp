// Sparse tensor contraction in the role of NWChem-TC in the Merchandiser paper: a list of contractions, each in five
// phases that are parallel regions. An ordinary OpenMP program; apps/common/placed_memory.cpp has all of LB-HM.
#include <omp.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/tensor/contraction_inputs.h"
#include "apps/tensor/contraction_phases.h"
#include "apps/tensor/task.h"
#include "apps/tensor/tensor_options.h"

namespace {

using namespace tensor;

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

/// True if every contraction was right.
bool run(const Options& options) {
  apps::measure(false);
  const std::vector<Input> inputs = make_inputs(options);
  print_header(options);
  bool all_verified = true;
  std::uint64_t sum = 0;
  for (const Input& input : inputs) {
    const std::vector<Part> parts = make_parts(input.x, input.y, input.contraction, options.threads);
    apps::measure(true);
    const double begin = omp_get_wtime();
    std::vector<Task> tasks = make_tasks(parts);
    SharedY shared(input.y, tasks);
    apps::plan_placement(objects_of(input.x, input.y, shared, tasks), input.kind);
    contract(input.x, input.y, input.contraction, shared, tasks);
    const double seconds = omp_get_wtime() - begin;
    apps::measure(false);

    const double difference = largest_difference(input.x, input.y, input.contraction, tasks, options.seed);
    const bool verified = difference <= verification_tolerance && is_sorted(tasks);
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
  const apps::Program program{.name = "tensor", .smaller = "Use smaller --atoms or --inputs."};
  return apps::run_program(program, argc, argv, parse_options, [](const Options& options) {
    if (run(options)) return 0;
    std::fputs("tensor: a contraction is wrong: see the line that says NO.\n", stderr);
    return 1;
  });
}
