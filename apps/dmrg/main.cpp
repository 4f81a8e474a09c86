// Two-site DMRG (White, Phys. Rev. Lett. 69 (1992) 2863; Schollwoeck, Annals of Physics 326 (2011) 96) with conserved
// quantum numbers: the tensors are block-sparse, and blocks of different size are what the threads own. An ordinary
// OpenMP program; apps/common/placed_memory.cpp has all of LB-HM.
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/dmrg/chain.h"
#include "apps/dmrg/dmrg_options.h"
#include "apps/dmrg/energy_verification.h"

namespace {

using namespace dmrg;

/// What the steps of a sweep, and all so far, have come to.
struct Progress {
  double energy = 0;     ///< of the last step
  double discarded = 0;  ///< of the last step
  double largest_discarded = 0;
  std::size_t dimension = 0;  ///< the largest of the sweep
  std::size_t sectors = 0;
  std::size_t bytes = 0;       ///< of the step with the largest objects
  double imbalance = 1;        ///< of that step: the largest part of the wave function over the mean
  std::uint64_t checksum = 0;  ///< of the energies and dimensions of all steps

  void start_sweep();
  void add(const StepResult& step);
};

void Progress::start_sweep() {
  largest_discarded = 0;
  dimension = sectors = bytes = 0;
}

void Progress::add(const StepResult& step) {
  energy = step.energy;
  discarded = step.discarded;
  largest_discarded = std::max(largest_discarded, step.discarded);
  dimension = std::max(dimension, step.dimension);
  sectors = std::max(sectors, step.sectors);
  if (step.bytes > bytes) {
    bytes = step.bytes;
    const auto sum = std::accumulate(step.work.begin(), step.work.end(), std::size_t{0});
    imbalance = static_cast<double>(*std::ranges::max_element(step.work)) * static_cast<double>(step.work.size()) /
                static_cast<double>(sum);
  }
  checksum = apps::combine_checksums(checksum, apps::mix(std::bit_cast<std::uint64_t>(step.energy)) ^ step.dimension);
}

void print_header(const Options& options) {
  const ModelOptions& model = options.model;
  std::printf("DMRG, %s, %zu x %zu sites", model.kind == Kind::heisenberg ? "Heisenberg spin 1/2" : "Hubbard",
              model.length, model.width);
  if (model.kind == Kind::hubbard) std::printf(", U = %g", model.interaction);
  std::printf(": %zu sweeps, measured from %zu on, %u threads\n", options.sweeps.size(), options.measured_from,
              options.threads);
  std::printf("%5s %8s %8s %8s %18s %11s %10s %9s\n", "sweep", "maxdim", "dim", "sectors", "energy", "discarded",
              "step MB", "imbalance");
}

void print_sweep(std::size_t number, const Sweep& sweep, const Progress& progress) {
  std::printf("%5zu %8zu %8zu %8zu %18.12f %11.2e %10.2f %9.2f\n", number, sweep.truncation.max_dimension,
              progress.dimension, progress.sectors, progress.energy, progress.largest_discarded,
              static_cast<double>(progress.bytes) * 1e-6, progress.imbalance);
}

void print_result(const Options& options, const Progress& progress, const std::string& fault) {
  const Known known = known_energy(options.model);
  std::printf("ground state: %.12f, %s %.12f, verified: %s\n", progress.energy, known.exact ? "exact" : "not below",
              known.lower_bound, fault.empty() ? "yes" : "NO");
  if (!fault.empty()) std::fprintf(stderr, "dmrg: %s\n", fault.c_str());
}

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
        if (measured) apps::plan_placement(objects, "step");
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
  const apps::Program program{.name = "dmrg", .smaller = "Use smaller bond dimensions."};
  return apps::run_program(program, argc, argv, parse_options,
                           [](const Options& options) { return run(options) ? 0 : 1; });
}
