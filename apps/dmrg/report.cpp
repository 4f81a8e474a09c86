#include "apps/dmrg/report.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <numeric>

#include "apps/common/checksum.h"
#include "apps/dmrg/exact.h"

namespace dmrg {

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

}  // namespace dmrg
