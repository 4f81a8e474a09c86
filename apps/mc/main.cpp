// Variational quantum Monte Carlo with drift: fermions in a harmonic trap, whose energy is known. An ordinary OpenMP
// program.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "apps/common/number_options.h"
#include "apps/mc/walker.h"

namespace {

using namespace mc;

constexpr int good = 0;
constexpr int wrong = 1;
constexpr double half_box = 5;  // of the table, in lengths of the oscillator
constexpr double time_step = 0.15;
constexpr double deviations = 4;  // a mean that is further off is wrong: one of 16,000 is by chance

struct Options {
  int shells = 5, grid = 48, walkers = 96, warmup = 10, steps = 6, seed = 1;
};

std::optional<int> read_options(int argc, char** argv, Options& options) {
  return apps::read_options(argc, argv, "mc", "Variational quantum Monte Carlo: fermions in a harmonic trap",
                            {{"--shells", options.shells, 1, 6, "of orbitals, all full (5: 35 orbitals)"},
                             {"--grid", options.grid, 24, 512, "intervals of the splines along each axis (48)"},
                             {"--walkers", options.walkers, 16, 1'000'000, "(96)"},
                             {"--warmup", options.warmup, 0, 1'000'000, "steps before anything is measured (10)"},
                             {"--steps", options.steps, 1, 1'000'000, "that are measured (6)"},
                             {"--seed", options.seed, 0, 2'000'000'000, "of all walkers (1)"}});
}

/// The mean of what walkers found, which do not know of each other, and the standard error of that mean.
struct Estimate {
  explicit Estimate(const std::vector<double>& of_walkers) {
    const auto size = static_cast<double>(of_walkers.size());
    for (const double one : of_walkers) mean += one / size;
    for (const double one : of_walkers) error += (one - mean) * (one - mean);
    error = std::sqrt(error / (size - 1) / size);
  }
  double mean = 0, error = 0;
};

using Walkers = std::vector<std::unique_ptr<Walker>>;

Walkers make_walkers(const SplineTable& table, const std::vector<Quanta>& orbitals, const Options& options) {
  Walkers walkers(options.walkers);
#pragma omp parallel for schedule(static)
  for (int w = 0; w < options.walkers; ++w)
    walkers[w] =
        std::make_unique<Walker>(table, orbitals, (static_cast<std::uint64_t>(options.seed) << 32) + w * 977ULL);
  return walkers;
}

/// What each walker found, on the average of its steps. Walkers are in the same order whichever thread moves them.
struct Found {
  std::vector<double> energy, spread;
  long moved = 0;
};

Found run_steps(const SplineTable& table, const Walkers& walkers, const Options& options) {
  Found found{std::vector<double>(walkers.size()), std::vector<double>(walkers.size()), 0};
  long moved = 0;
  for (int step = 0; step < options.warmup + options.steps; ++step) {
#pragma omp parallel reduction(+ : moved)
    {
      OrbitalValues work(table.orbitals());
#pragma omp for schedule(static)
      for (int w = 0; w < options.walkers; ++w) {
        moved += walkers[w]->step(table, time_step, work);
        if (step < options.warmup) continue;
        const Sample sample = walkers[w]->sample();
        found.energy[w] += sample.energy / options.steps;
        found.spread[w] += sample.spread / options.steps;
      }
    }
  }
  found.moved = moved;
  return found;
}

/// What the energy of cubic splines is above the exact one, as a part of it: of order 6, with a generous constant.
double bias_of_splines(int intervals) { return 0.03 * std::pow(2 * half_box / intervals, 6); }

/// A line of the table; `bias` is what splines may be off.
bool is_as_known(const char* what, const std::vector<double>& of_walkers, double known, double bias) {
  const Estimate found(of_walkers);
  const bool right = std::abs(found.mean - known) <= deviations * found.error + bias;
  std::printf("%-28s %12.5f +- %.5f, exactly %9.3f: %s\n", what, found.mean, found.error, known, right ? "yes" : "NO");
  return right;
}

int run(const Options& options) {
  const std::vector<Quanta> orbitals = lowest_orbitals(options.shells);
  const SplineTable table(orbitals, options.grid, half_box);
  const Walkers walkers = make_walkers(table, orbitals, options);
  const int electrons = 2 * static_cast<int>(orbitals.size());
  std::printf("Quantum Monte Carlo: %d electrons, %d walkers, %d + %d steps, splines %.1f MiB\n", electrons,
              options.walkers, options.warmup, options.steps, static_cast<double>(table.bytes()) / (1 << 20));
  const Found found = run_steps(table, walkers, options);
  double known = 0, lost = 0;
  for (const Quanta& of : orbitals) known += 2 * (of.sum() + 1.5);
  std::uint64_t checksum = 0;
  for (const std::unique_ptr<Walker>& walker : walkers) {
    lost = std::max(lost, walker->error_of_inverse());
    checksum += walker->bits();
  }
  const double moves = static_cast<double>(electrons) * options.walkers * (options.warmup + options.steps);
  std::printf("moves accepted: %.1f %%\n", 100 * static_cast<double>(found.moved) / moves);
  const bool energy = is_as_known("energy", found.energy, known, bias_of_splines(options.grid) * known);
  const bool spread = is_as_known("sum of squared distances", found.spread, known, 0);
  const bool inverse = lost < 1e-6;
  std::printf("inverses to 1e-6: %s\n", inverse ? "yes" : "NO");
  const bool verified = energy && spread && inverse;
  std::printf("verified: %s\nchecksum: 0x%016" PRIx64 "\n", verified ? "yes" : "NO", checksum);
  if (!verified)
    std::fprintf(stderr, "mc: an estimate is off, or inverses are, by %g. More --walkers tell chance from error.\n",
                 lost);
  return verified ? good : wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    if (const std::optional<int> status = read_options(argc, argv, options)) return *status;
    return run(options);
  } catch (const std::bad_alloc&) {
    std::fputs("mc: not enough memory. Use a smaller --grid or fewer --walkers.\n", stderr);
  } catch (const std::exception& error) { std::fprintf(stderr, "mc: %s\n", error.what()); }
  return wrong;
}
