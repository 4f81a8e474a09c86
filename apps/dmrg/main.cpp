// Two-site DMRG (White, Phys. Rev. Lett. 69 (1992) 2863; Schollwoeck, Annals of Physics 326 (2011) 96) with conserved
// quantum numbers: the tensors are block-sparse, and blocks of different size are what the threads own. An ordinary
// OpenMP program; apps/common/memory.cpp has all of LB-HM.
#include <omp.h>

#include <cstdio>

#include "apps/common/arguments.h"
#include "apps/common/memory.h"
#include "apps/common/report.h"
#include "apps/dmrg/chain.h"
#include "apps/dmrg/options.h"
#include "apps/dmrg/report.h"
#include "apps/dmrg/verify.h"

namespace {

using namespace dmrg;

/// Is this pair in the middle quarter of the lattice? Towards the ends bonds have few states: no work for many threads.
bool is_central(std::size_t pair, std::size_t sites) {
  return 8 * (pair + 1) >= 3 * sites && 8 * (pair + 1) <= 5 * sites;
}

/// True if the result was right.
bool run(const Options& options) {
  apps::measure(false);
  Chain chain(make_model(options.model), options.threads);
  const std::size_t sites = chain.model().sites();
  print_header(options);
  Progress progress;
  for (std::size_t number = 1; number <= options.sweeps.size(); ++number) {
    const Sweep& sweep = options.sweeps[number - 1];
    const double begin = omp_get_wtime();
    progress.start_sweep();
    for (const Step& step : make_sweep(sites, number == 1, sweep.iterations, sweep.truncation)) {
      const bool measured = number >= options.measured_from && is_central(step.pair, sites);
      apps::measure(measured);
      progress.add(chain.optimise(step, [&](const auto& objects) {
        if (measured) apps::plan_placement(objects);
      }));
      apps::measure(false);
    }
    print_sweep(number, sweep, progress);
    if (options.times) apps::print_time(("sweep " + std::to_string(number)).c_str(), omp_get_wtime() - begin);
  }
  const std::string fault = find_fault(chain, options.model, progress.energy, progress.discarded);
  print_result(options, progress, fault);
  apps::print_checksum(progress.checksum);
  return fault.empty();
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{.name = "dmrg", .usage = usage, .smaller = "Use smaller bond dimensions."};
  return apps::run_program(program, argc, argv, parse_options,
                           [](const Options& options) { return run(options) ? 0 : 1; });
}
