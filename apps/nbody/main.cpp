// A cluster of stars by Barnes and Hut's tree: bodies, cells and records of orbits are a million small blocks. An
// ordinary OpenMP program.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>

#include "apps/common/number_options.h"
#include "apps/nbody/cluster.h"

namespace {

using namespace nbody;

constexpr int good = 0;
constexpr int wrong = 1;
constexpr double time_step = 0.04;
constexpr int samples = 64;  // bodies whose forces are compared

struct Options {
  int bodies = 50'000, steps = 3, seed = 1;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(argc, argv, "nbody", "A cluster of stars by Barnes and Hut's tree",
                            {{"--bodies", options.bodies, 500, 100'000'000, "(50000)"},
                             {"--steps", options.steps, 1, 1'000'000, "of slow bodies, four of fast ones each (3)"},
                             {"--seed", options.seed, 0, 2'000'000'000, "of the cluster (1)"}});
}

/// A line of the result.
bool is_small(const char* what, double found, double bound) {
  const bool small = found < bound;
  std::printf("%s below %g: %s\n", what, bound, small ? "yes" : "NO");
  if (!small) std::fprintf(stderr, "nbody: %s is %g\n", what, found);
  return small;
}

int run(const Options& options) {
  std::printf("Gravity: %d bodies, %d steps\n", options.bodies, options.steps);
  Cluster cluster(options.bodies, static_cast<std::uint64_t>(options.seed));
  const double before = cluster.energy();
  for (int i = 0; i < options.steps; ++i) cluster.step(time_step);
  const int stride = options.bodies < samples ? 1 : options.bodies / samples;
  const bool complete = !cluster.lost() && cluster.all_orbits_have(1 + substeps * options.steps);
  std::printf("objects made: %zu, terms of forces: %.0f\n", cluster.made(), cluster.terms());
  std::printf("energy %.6f\nevery body in every tree, every orbit complete: %s\n", before, complete ? "yes" : "NO");
  const bool accurate = is_small("error of forces", cluster.error_of_forces(stride), 0.06);
  const bool conserved = is_small("drift of the energy", std::abs(cluster.energy() / before - 1), 0.003);
  const bool verified = complete && accurate && conserved;
  std::printf("verified: %s\nchecksum: 0x%016" PRIx64 "\n", verified ? "yes" : "NO", cluster.checksum());
  return verified ? good : wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("nbody: not enough memory. Use fewer --bodies or --steps.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "nbody: %s\n", error.what()); }
  return wrong;
}
