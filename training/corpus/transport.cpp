// Neutron transport by Monte Carlo: look-ups of cross sections in a unionised energy grid, in the grids of the nuclides
// by binary search, and by hashed energy; histories of particles. Source: Tramm, Siegel, Islam, Schulz, XSBench, PHYSOR
// 2014; Brown, ANS Trans. 2014 (hashing of energies).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t channels = 5;
struct Point {
  double energy;
  std::array<float, channels> section;
};

struct Library {
  std::size_t nuclides, points;       ///< points of each nuclide
  std::vector<Point> grid;            ///< [nuclide][point], energies ascend
  std::vector<double> unionised;      ///< all energies
  std::vector<std::uint16_t> index;   ///< [union point][nuclide]: the point at or below
  std::vector<std::uint16_t> hashed;  ///< [bin of energy][nuclide]
};

constexpr std::size_t energy_bins = 512;

CORPUS_REGION void make_grids(Library& lib, corpus::Random& random) {
  lib.grid.resize(lib.nuclides * lib.points);
  for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide) {
    double energy = 0;
    for (std::size_t i = 0; i < lib.points; ++i) {
      energy += random.unit();
      Point& point = lib.grid[nuclide * lib.points + i];
      point.energy = energy;
      for (float& section : point.section) section = static_cast<float>(random.unit());
    }
    for (std::size_t i = 0; i < lib.points; ++i) lib.grid[nuclide * lib.points + i].energy /= energy + 1e-9;
  }
}

CORPUS_REGION void unionise(Library& lib) {
  for (const Point& point : lib.grid) lib.unionised.push_back(point.energy);
  std::sort(lib.unionised.begin(), lib.unionised.end());
}

CORPUS_REGION void index_union(Library& lib) {
  std::vector<std::uint16_t> at(lib.nuclides);
  for (std::size_t u = 0; u < lib.unionised.size(); ++u)
    for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide) {
      const Point* const grid = lib.grid.data() + nuclide * lib.points;
      while (at[nuclide] + 2u < lib.points && grid[at[nuclide] + 1].energy <= lib.unionised[u]) ++at[nuclide];
      lib.index[u * lib.nuclides + nuclide] = at[nuclide];
    }
}

std::size_t point_below(const Library& lib, std::size_t nuclide, double energy, std::size_t low, std::size_t high) {
  const Point* const grid = lib.grid.data() + nuclide * lib.points;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (grid[middle].energy <= energy ? low : high) = middle;
  }
  return low;
}

CORPUS_REGION void index_hashed(Library& lib) {
#pragma omp parallel for
  for (std::size_t bin = 0; bin < energy_bins; ++bin)
    for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide)
      lib.hashed[bin * lib.nuclides + nuclide] = static_cast<std::uint16_t>(
          point_below(lib, nuclide, static_cast<double>(bin) / energy_bins, 0, lib.points - 1));
}

void add_section(const Library& lib, std::size_t nuclide, std::size_t at, double energy, double* sum) {
  const Point& low = lib.grid[nuclide * lib.points + at];
  const Point& high = lib.grid[nuclide * lib.points + at + 1];
  const double share = (energy - low.energy) / (high.energy - low.energy);
  for (std::size_t c = 0; c < channels; ++c)
    sum[c] += (1 - share) * static_cast<double>(low.section[c]) + share * static_cast<double>(high.section[c]);
}

CORPUS_REGION double look_up_union(const Library& lib, const std::vector<double>& energies) {
  double total = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : total)
  for (std::size_t i = 0; i < energies.size(); ++i) {
    double sum[channels] = {};
    const auto above = std::upper_bound(lib.unionised.begin(), lib.unionised.end(), energies[i]);
    const auto u = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - lib.unionised.begin() - 1, 0));
    for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide)
      add_section(lib, nuclide, lib.index[u * lib.nuclides + nuclide], energies[i], sum);
    total += sum[0] + sum[4];
  }
  return total;
}

CORPUS_REGION double look_up_nuclides(const Library& lib, const std::vector<double>& energies) {
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < energies.size(); ++i) {
    double sum[channels] = {};
    for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide)
      add_section(lib, nuclide, point_below(lib, nuclide, energies[i], 0, lib.points - 1), energies[i], sum);
    total += sum[0] + sum[4];
  }
  return total;
}

CORPUS_REGION double look_up_hashed(const Library& lib, const std::vector<double>& energies) {
  double total = 0;
#pragma omp parallel for schedule(static, 8) reduction(+ : total)
  for (std::size_t i = 0; i < energies.size(); ++i) {
    double sum[channels] = {};
    const auto bin = static_cast<std::size_t>(energies[i] * energy_bins);
    for (std::size_t nuclide = 0; nuclide < lib.nuclides; ++nuclide) {
      std::size_t at = lib.hashed[bin * lib.nuclides + nuclide];
      while (at + 2 < lib.points && lib.grid[nuclide * lib.points + at + 1].energy <= energies[i]) ++at;
      add_section(lib, nuclide, at, energies[i], sum);
    }
    total += sum[0] + sum[4];
  }
  return total;
}

struct Particle {
  float x, direction, energy, weight;
};

/// Histories: each particle flies through the slab until it leaves or is absorbed; tallies by cell are shared.
CORPUS_REGION void follow(const Library& lib, std::vector<Particle>& particles, std::vector<double>& tally,
                          std::uint64_t seed) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Particle p = particles[i];
    for (std::uint64_t step = 0; step < 8 && p.weight > 0.05f; ++step) {
      const double u = corpus::random_real(seed, i * 16 + step);
      const auto point =
          static_cast<std::size_t>(static_cast<double>(p.energy) * static_cast<double>(lib.grid.size() - 1));
      const float section = 0.2f + lib.grid[point].section[step % channels];
      p.x += p.direction * static_cast<float>(-std::log(1 - u)) / (section * 40);
      if (p.x < 0 || p.x >= 1) break;
      const auto cell = static_cast<std::size_t>(p.x * static_cast<float>(tally.size()));
#pragma omp atomic
      tally[cell] += static_cast<double>(p.weight);
      p.weight *= 1 - section * 0.3f;
      p.direction = static_cast<float>(2 * corpus::random_real(seed, i * 16 + step + 8) - 1);
      p.energy *= 0.9f;
    }
    particles[i] = p;
  }
}

/// Who still flies, kept together: a stream with a branch that nobody can predict.
CORPUS_REGION std::size_t keep_alive(std::vector<Particle>& particles) {
  std::size_t alive = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    if (particles[i].weight > 0.2f && particles[i].x > 0 && particles[i].x < 1) particles[alive++] = particles[i];
  return alive;
}

CORPUS_REGION void start(std::vector<Particle>& particles, std::uint64_t seed) {
  for (std::size_t i = 0; i < particles.size(); ++i)
    particles[i] = {static_cast<float>(corpus::random_real(seed, 2 * i)), 1,
                    static_cast<float>(corpus::random_real(seed, 2 * i + 1)), 1};
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  Library lib{.nuclides = input.pick<std::size_t>(24, 32),
              .points = input.pick<std::size_t>(900, 1400),
              .grid = {},
              .unionised = {},
              .index = {},
              .hashed = {}};
  make_grids(lib, random);
  unionise(lib);
  lib.index.resize(lib.unionised.size() * lib.nuclides);
  lib.hashed.resize(energy_bins * lib.nuclides);
  index_union(lib);
  index_hashed(lib);
  std::vector<double> energies(input.pick<std::size_t>(1'500, 2'500));
  for (double& energy : energies) energy = 0.01 + 0.98 * random.unit();
  const double by_union = look_up_union(lib, energies), by_nuclides = look_up_nuclides(lib, energies);
  const double by_hash = look_up_hashed(lib, energies);
  std::vector<Particle> particles(input.pick<std::size_t>(20'000, 40'000));
  std::vector<double> tally(40'000);
  start(particles, input.seed);
  follow(lib, particles, tally, input.seed);
  const std::size_t alive = keep_alive(particles);
  const bool right =
      std::fabs(by_union - by_nuclides) < 1e-6 * by_union && std::fabs(by_hash - by_union) < 1e-6 * by_union;
  return {.checksum = by_union + static_cast<double>(alive), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
