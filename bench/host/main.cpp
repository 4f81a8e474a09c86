// host-kernels NAME [--small] [--repeat N]: runs one kernel with OMP_NUM_THREADS threads and prints its time as JSON.
// host-kernels --list prints the names.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "bench/host/kernel.h"

namespace {

using namespace host;

constexpr std::span<const Entry> (*themes[])() = {dense_kernels,   sparse_kernels, stencil_kernels, transform_kernels,
                                                  sort_kernels,    hash_kernels,   graph_kernels,   particle_kernels,
                                                  pointer_kernels, table_kernels,  dynamic_kernels};

struct Options {
  const Entry* entry = nullptr;
  bool small = false;
  unsigned repeats = 0;
};

const Entry* find(std::string_view name) {
  for (const auto theme : themes) {
    for (const Entry& entry : theme()) {
      if (name == entry.name) return &entry;
    }
  }
  return nullptr;
}

int list() {
  for (const auto theme : themes) {
    for (const Entry& entry : theme()) std::puts(entry.name);
  }
  return 0;
}

struct Outcome {
  double seconds = 0;
  double check = 0;
};

/// All threads work on one problem.
Outcome run_shared(const Kernel& kernel, unsigned repeats) {
  Outcome outcome{.check = kernel()};  // pages and caches are warm after it
  const double begin = omp_get_wtime();
  for (unsigned i = 0; i < repeats; ++i) outcome.check += kernel();
  outcome.seconds = omp_get_wtime() - begin;
  return outcome;
}

/// Every thread works on its own; the time is that of the slowest.
Outcome run_copies(const std::vector<Kernel>& kernels, unsigned repeats) {
  double check = 0;
  double seconds = 0;
#pragma omp parallel num_threads(static_cast<int>(kernels.size())) reduction(+ : check) reduction(max : seconds)
  {
    const Kernel& kernel = kernels[static_cast<std::size_t>(omp_get_thread_num())];
    check += kernel();
#pragma omp barrier
    const double begin = omp_get_wtime();
    for (unsigned i = 0; i < repeats; ++i) check += kernel();
    seconds = omp_get_wtime() - begin;
  }
  return {.seconds = seconds, .check = check};
}

Outcome run(const Options& options) {
  const Entry& entry = *options.entry;
  const std::size_t size = options.small ? entry.small : entry.full;
  if (entry.threads == Threads::share) return run_shared(entry.make(size), options.repeats);
  std::vector<Kernel> kernels;
  std::generate_n(std::back_inserter(kernels), omp_get_max_threads(), [&] { return entry.make(size); });
  return run_copies(kernels, options.repeats);
}

/// False if the arguments are wrong.
bool parse(std::span<char*> arguments, Options& options) {
  if (arguments.empty()) return false;
  options.entry = find(arguments[0]);
  if (!options.entry) return false;
  options.repeats = options.entry->repeats;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--small") {
      options.small = true;
    } else if (argument == "--repeat" && i + 1 < arguments.size()) {
      options.repeats = static_cast<unsigned>(std::strtoul(arguments[++i], nullptr, 10));
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv + 1, static_cast<std::size_t>(argc - 1));
  if (arguments.size() == 1 && std::string_view(arguments[0]) == "--list") return list();
  Options options;
  if (!parse(arguments, options)) {
    std::fputs("Usage: host-kernels NAME [--small] [--repeat N], or host-kernels --list for the names\n", stderr);
    return 2;
  }
  const Outcome outcome = run(options);
  std::printf("{\"kernel\": \"%s\", \"threads\": %d, \"seconds\": %.9f, \"check\": %.17g}\n", options.entry->name,
              omp_get_max_threads(), outcome.seconds, outcome.check);
  return 0;
}
