// A blast in a gas, on a mesh that moves with it. An ordinary OpenMP program.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>

#include "apps/common/number_options.h"
#include "apps/hydro/advance.h"
#include "apps/hydro/blast.h"

namespace {

using namespace hydro;

constexpr int good = 0;
constexpr int wrong = 1;

struct Options {
  int size = 256;
  int steps = 12;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(argc, argv, "hydro", "Explicit Lagrangian shock hydrodynamics: a blast in a plane",
                            {{"--size", options.size, 4, 8192, "elements along each side of the mesh (256)"},
                             {"--steps", options.steps, 1, 1'000'000, "time steps (12)"}});
}

/// The time that was reached.
double run_steps(const Mesh& mesh, Masses& masses, State& state, int steps) {
  double time = 0;
  double step = 0.1 * stable_step(mesh, state);
  for (int i = 0; i < steps; ++i) {
    iterate(mesh, masses, state, step);
    time += step;
    step = std::min(1.2 * step, stable_step(mesh, state));
  }
  return time;
}

bool verify(const Mesh& mesh, const Conservation& found, double time) {
  const double expected = sedov_radius(time);
  const double element = 1.0 / mesh.side;
  // A shock that has come ten elements far has forgotten the element that it began in; at a wall it is none of Sedov's.
  const bool comparable = expected > 10 * element && expected < 0.9;
  const bool conserved = found.energy_drift < 1e-11;
  const bool symmetric = found.asymmetry < 1e-9;
  const bool whole = found.smallest_area > 0;
  const bool in_place = !comparable || std::abs(found.shock - expected) < 0.05 * expected + 2 * element;
  std::printf("energy drift below 1e-11: %s\n", conserved ? "yes" : "NO");
  std::printf("asymmetry below 1e-9: %s\n", symmetric ? "yes" : "NO");
  std::printf("all elements keep an area: %s\n", whole ? "yes" : "NO");
  std::printf("shock at %.4f, Sedov's at %.4f: %s\n", found.shock, expected,
              !comparable ? "not compared"
              : in_place  ? "yes"
                          : "NO");
  return conserved && symmetric && whole && in_place;
}

int run(const Options& options) {
  const Mesh mesh(options.size);
  Masses masses(mesh);
  State state(mesh);
  set_blast(mesh, masses, state);
  std::printf("Hydrodynamics: %d elements, %d nodes, %d steps\n", mesh.elements, mesh.nodes, options.steps);
  const double time = run_steps(mesh, masses, state, options.steps);
  const Conservation found = look_at(mesh, masses, state);
  const bool verified = verify(mesh, found, time);
  std::printf("time %.6e\nverified: %s\nchecksum: 0x%016" PRIx64 "\n", time, verified ? "yes" : "NO",
              checksum(mesh, state));
  if (verified) return good;
  std::fprintf(stderr, "hydro: energy drift %g, asymmetry %g, smallest area %g of what it was\n", found.energy_drift,
               found.asymmetry, found.smallest_area);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("hydro: not enough memory. Use a smaller --size.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "hydro: %s\n", error.what()); }
  return wrong;
}
