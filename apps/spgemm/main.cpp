// SpGEMM as in Figure 1b of the Merchandiser paper: a list of matrices, each multiplied with its transpose in one
// parallel region with two synchronised steps. An ordinary OpenMP program; apps/common/memory.cpp has all of LB-HM.
#include <omp.h>

#include <cstdio>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/checksum.h"
#include "apps/common/memory.h"
#include "apps/common/report.h"
#include "apps/spgemm/inputs.h"
#include "apps/spgemm/options.h"
#include "apps/spgemm/report.h"
#include "apps/spgemm/spgemm.h"
#include "apps/spgemm/task.h"
#include "apps/spgemm/verify.h"

namespace {

using namespace spgemm;

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
  const apps::Program program{.name = "spgemm", .usage = usage, .smaller = "Use a smaller --kron or --inputs."};
  return apps::run_program(program, argc, argv, parse_options, [](const Options& options) {
    if (run(options)) return 0;
    std::fputs("spgemm: a product is wrong: C*x differs from A*(A^T*x).\n", stderr);
    return 1;
  });
}
