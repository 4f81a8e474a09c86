// A program drawn from a seed: tasks of uneven work, each in memory of its own, in rounds. It asks where load balance
// matters. An ordinary OpenMP program; apps/common/placed_memory.cpp has all of LB-HM.
#include <omp.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/imbalance/imbalance_options.h"
#include "apps/imbalance/lookups.h"
#include "apps/imbalance/task_shapes.h"

namespace {

using namespace imbalance;

void print_shapes(std::span<const Shape> shapes, const Options& options) {
  std::printf("Imbalance: %zu tasks, %u rounds%s\n", shapes.size(), options.rounds,
              options.one_region ? " in one region" : "");
  std::printf("%6s %8s %8s %10s %10s %6s %15s\n", "task", "pattern", "weight", "KiB", "loads", "skew", "loads a page");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Shape& shape = shapes[i];
    std::printf("%6zu %8s %8.2f %10" PRIu64 " %10" PRIu64 " %6u %15.1f\n", i, name_of(shape.pattern), shape.weight,
                shape.pages * 4, shape.loads, shape.skew,
                static_cast<double>(shape.loads) / static_cast<double>(shape.pages));
  }
  std::printf("%6s %12s %10s %9s\n", "round", "loads", "imbalance", "verified");
}

/// True if every task found in this round what it had to.
bool report_round(std::span<const Task> tasks, unsigned round, std::uint64_t& checksum) {
  bool verified = true;
  std::uint64_t loads = 0;
  double sum = 0;
  double largest = 0;
  for (const Task& task : tasks) {
    verified = verified && task.found[round] == expected(task, round);
    checksum = apps::combine_checksums(checksum, task.found[round]);
    loads += task.shape.loads;
    const double work = static_cast<double>(task.shape.loads) / loads_at_once(task.shape.pattern);
    sum += work;
    largest = std::max(largest, work);
  }
  // Imbalance: the heaviest task over the mean.
  std::printf("%6u %12" PRIu64 " %10.2f %9s\n", round, loads, largest * static_cast<double>(tasks.size()) / sum,
              verified ? "yes" : "NO");
  return verified;
}

/// Rounds [first, last), planned once and executed in one region.
void measured(std::span<Task> tasks, unsigned first, unsigned last, const Options& options) {
  const unsigned threads = std::min(options.threads, options.tasks);
  apps::measure(true);
  const double begin = omp_get_wtime();
  apps::plan_placement(objects_of(tasks));
  run_rounds(tasks, first, last, threads);
  const double seconds = omp_get_wtime() - begin;
  apps::measure(false);
  if (options.times) apps::print_time(("rounds from " + std::to_string(first)).c_str(), seconds);
}

/// True if every round was right.
bool run(const Options& options) {
  apps::measure(false);
  const std::vector<Shape> drawn = draw_shapes(options);
  print_shapes(drawn, options);
  std::vector<Task> tasks = make_tasks(drawn, options);
  bool all_verified = true;
  std::uint64_t sum = 0;
  for (unsigned round = 0; round < options.rounds; ++round) {
    if (options.vary > 0 && round > 0) {
      tasks.clear();  // before the next ones: one input at a time
      tasks = make_tasks(shapes_of_round(drawn, options, round), options);
    }
    if (!options.one_region) measured(tasks, round, round + 1, options);
    if (options.one_region && round == 0) measured(tasks, 0, options.rounds, options);
    all_verified = report_round(tasks, round, sum) && all_verified;
  }
  apps::print_checksum(sum);
  return all_verified;
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{.name = "imbalance", .smaller = "Use a smaller --mib."};
  return apps::run_program(program, argc, argv, parse_options, [](const Options& options) {
    if (run(options)) return 0;
    std::fputs("imbalance: a task found what is not in its memory.\n", stderr);
    return 1;
  });
}
