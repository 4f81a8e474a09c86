// What a parallel region costs that does nothing, by number of threads. The number of regions is fixed, so that runs
// with and without a tool do the same.
#include <benchmark/benchmark.h>

namespace {

void fork_join(benchmark::State& state) {
  while (state.KeepRunning()) {
#pragma omp parallel num_threads(static_cast<int>(state.range(0)))
    { benchmark::ClobberMemory(); }
  }
}

// More threads than cores have to wait for each other's turn: fewer of those regions fill the same time.
BENCHMARK(fork_join)->Arg(1)->Iterations(50'000)->UseRealTime();
BENCHMARK(fork_join)->Arg(2)->Iterations(50'000)->UseRealTime();
BENCHMARK(fork_join)->Arg(12)->Iterations(2'000)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
