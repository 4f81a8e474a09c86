// host-kernels NAME [--small] [--repeat N]: runs one kernel with OMP_NUM_THREADS threads and prints its time as JSON:
// seconds in all, and of the fastest call.
// host-kernels --list prints the names.
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "bench/host/host_kernel.h"

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
  double seconds = 0;  ///< of all calls but the first
  double fastest = 0;  ///< call; on one thread its processor time, which other programs disturb less
  double check = 0;
};

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Times calls, one after the other.
class Stopwatch {
 public:
  explicit Stopwatch(bool alone) : now_(alone ? processor_seconds : omp_get_wtime) {}
  void start() {
    begin_ = omp_get_wtime();
    call_ = now_();
  }
  void stop(Outcome& outcome) const {
    const double call = now_() - call_;
    outcome.fastest = outcome.seconds == 0 ? call : std::min(outcome.fastest, call);
    outcome.seconds += omp_get_wtime() - begin_;
  }

 private:
  double (*now_)();
  double begin_ = 0;
  double call_ = 0;
};

/// All threads work on one problem.
Outcome run_shared(const Kernel& kernel, unsigned repeats) {
  Outcome outcome{.check = kernel()};  // pages and caches are warm after it
  Stopwatch watch(omp_get_max_threads() == 1);
  for (unsigned i = 0; i < repeats; ++i) {
    watch.start();
    outcome.check += kernel();
    watch.stop(outcome);
  }
  return outcome;
}

/// Every thread works on its own; a call takes as long as that of the slowest.
Outcome run_copies(const std::vector<Kernel>& kernels, unsigned repeats) {
  Outcome outcome;
  Stopwatch watch(kernels.size() == 1);
  double check = 0;
#pragma omp parallel num_threads(static_cast<int>(kernels.size())) reduction(+ : check)
  {
    const Kernel& kernel = kernels[static_cast<std::size_t>(omp_get_thread_num())];
    check += kernel();
    for (unsigned i = 0; i < repeats; ++i) {
#pragma omp barrier
#pragma omp master
      watch.start();
      check += kernel();
#pragma omp barrier
#pragma omp master
      watch.stop(outcome);
    }
  }
  outcome.check = check;
  return outcome;
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
  std::printf(
      "{\"kernel\": \"%s\", \"threads\": %d, \"calls\": %u, \"seconds\": %.9f, \"fastest\": %.9f, \"check\": %.17g}\n",
      options.entry->name, omp_get_max_threads(), options.repeats, outcome.seconds, outcome.fastest, outcome.check);
  return 0;
}
