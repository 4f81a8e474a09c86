// A blast in a gas, on a mesh that moves with it. An ordinary OpenMP program.
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>

#include "apps/hydro/advance.h"
#include "apps/hydro/blast.h"

namespace {

using namespace hydro;

constexpr int good = 0;
constexpr int wrong = 1;
constexpr int bad_option = 2;

struct Options {
  int size = 256;
  int steps = 12;
  int threads = omp_get_max_threads();
};

/// True to go on; otherwise `status` is what to end with.
bool read_options(int argc, char** argv, Options& options, int& status) {
  CLI::App line("Explicit Lagrangian shock hydrodynamics: a blast in a plane", "hydro");
  line.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  line.add_option("--size", options.size, "elements along each side of the mesh (256)")->check(CLI::Range(4, 8192));
  line.add_option("--steps", options.steps, "time steps (12)")->check(CLI::Range(1, 1000000));
  line.add_option("--threads", options.threads, "threads (what OpenMP would use)")->check(CLI::Range(1, 1024));
  line.footer("Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.");
  try {
    line.parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::fputs(line.help().c_str(), stdout);
    status = good;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "hydro: %s. See --help.\n", error.what());
    status = bad_option;
  }
  return false;
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
    int status = good;
    if (!read_options(argc, argv, options, status)) return status;
    omp_set_num_threads(options.threads);
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("hydro: not enough memory. Use a smaller --size.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "hydro: %s\n", error.what()); }
  return wrong;
}
