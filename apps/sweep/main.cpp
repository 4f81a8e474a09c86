// Neutron transport by discrete ordinates: time steps, source iterations, and sweeps in wavefronts. An ordinary OpenMP
// program.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include "apps/common/number_options.h"
#include "apps/sweep/ordinates.h"

namespace {

using namespace sweep;

constexpr int good = 0;
constexpr int wrong = 1;
constexpr double enough = 1e-4;  // change of the scalar flux, as SNAP's default
constexpr double rounding = 1e-11;
constexpr double time_step = 0.1;

struct Options {
  int size = 20, angles = 6, groups = 4, steps = 2, iterations = 50;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(
      argc, argv, "sweep", "Neutron transport by discrete ordinates",
      {{"--size", options.size, 4, 512, "cells along each side of the cube (20)"},
       {"--angles", options.angles, 1, 256, "directions in each octant (6)"},
       {"--groups", options.groups, 1, 256, "of energies (4)"},
       {"--steps", options.steps, 1, 100'000, "time steps (2)"},
       {"--iterations", options.iterations, 1, 100'000, "of the source in a step, at most (50)"}});
}

std::uint64_t checksum_of(const Numbers& numbers) {
  std::uint64_t sum = 1;
  for (const double number : numbers) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 32;
  }
  return sum;
}

/// The largest relative difference to the flux of an infinite medium, in a cube that such a medium surrounds: neutrons
/// enter it as they would from there.
double error_in_infinite_medium(const Options& options) {
  const Grid grid{4, options.angles, options.groups};
  Problem problem(grid, time_step);
  std::ranges::fill(problem.material, 1);
  std::ranges::fill(problem.emits, 1);
  problem.set_inverse();
  problem.inflow = infinite_medium(problem.physics, 1);
  Fluxes fluxes(grid);
  const std::size_t of_group = octants * grid.cells() * grid.angles;
  for (std::size_t i = 0; i < fluxes.before.size(); ++i) fluxes.before[i] = problem.inflow[i / of_group];
  advance(problem, fluxes, 1e-12, 1000);
  double error = 0;
  for (std::size_t i = 0; i < fluxes.scalar.size(); ++i) {
    const double exact = problem.inflow[i / grid.cells()];
    error = std::max(error, std::abs(fluxes.scalar[i] - exact) / exact);
  }
  return error;
}

bool run_steps(const Options& options, std::uint64_t& checksum) {
  const Grid grid{options.size, options.angles, options.groups};
  const Problem problem(grid, time_step);
  Fluxes fluxes(grid);
  bool verified = true;
  std::printf("%6s %11s %11s %10s %9s\n", "step", "iterations", "change", "balanced", "positive");
  for (int i = 0; i < options.steps; ++i) {
    const Step step = advance(problem, fluxes, enough, options.iterations);
    const bool balanced = step.imbalance < rounding, positive = step.smallest >= 0, converged = step.change <= enough;
    std::printf("%6d %11d %11.3e %10s %9s\n", i + 1, step.iterations, step.change, balanced ? "yes" : "NO",
                positive ? "yes" : "NO");
    verified = verified && balanced && positive && converged;
    if (!converged) std::fputs("sweep: the source has not converged. Allow more --iterations.\n", stderr);
    if (!balanced) std::fprintf(stderr, "sweep: neutrons are lost or made: %g of those emitted\n", step.imbalance);
  }
  checksum = checksum_of(fluxes.scalar);
  return verified;
}

int run(const Options& options) {
  std::printf("Discrete ordinates: %d^3 cells, %d angles, %d groups, %d steps\n", options.size,
              octants * options.angles, options.groups, options.steps);
  const double error = error_in_infinite_medium(options);
  const bool infinite = error < 1e-9;
  std::printf("infinite medium to 1e-9: %s\n", infinite ? "yes" : "NO");
  if (!infinite) std::fprintf(stderr, "sweep: the flux of an infinite medium is off by %g of it\n", error);
  std::uint64_t checksum = 0;
  const bool verified = run_steps(options, checksum) && infinite;
  std::printf("verified: %s\nchecksum: 0x%016" PRIx64 "\n", verified ? "yes" : "NO", checksum);
  return verified ? good : wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("sweep: not enough memory. Use a smaller --size.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "sweep: %s\n", error.what()); }
  return wrong;
}
