#include "apps/pic/study.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "apps/common/checksum.h"
#include "apps/common/error.h"
#include "apps/common/random.h"

namespace pic {
namespace {

/// Normally distributed with standard deviation 1 (Box and Muller).
double draw_normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - apps::draw_unit(random)));
  return radius * std::cos(2 * std::numbers::pi * apps::draw_unit(random));
}

std::mt19937_64 stream_of(std::uint64_t seed, std::size_t plasma, std::size_t number) {
  return std::mt19937_64(apps::mix(apps::mix(apps::mix(seed + 1) + plasma) + number));
}

unsigned particles_per_cell(const Deck& deck, std::size_t i) {
  return static_cast<unsigned>(std::max(1.0, std::round(deck.plasma_ppc * deck.scan_ppc[i])));
}

void fill_background(const Deck& deck, std::size_t i, std::mt19937_64 random, double h, Box& box) {
  const unsigned count = particles_per_cell(deck, i);
  const double weight = h * h / count;
  const Extent& extent = box.extent;
  for (int y = extent.begin[1]; y < extent.begin[1] + extent.cells[1]; ++y) {
    for (int x = extent.begin[0]; x < extent.begin[0] + extent.cells[0]; ++x) {
      for (unsigned k = 0; k < count; ++k) {
        Particle particle{x + apps::draw_unit(random), y + apps::draw_unit(random), 0, 0, 0, weight};
        for (double* u : {&particle.ux, &particle.uy, &particle.uz}) *u = deck.plasma_u_th * draw_normal(random);
        box.particles.append(particle);
      }
    }
  }
}

/// Into [0, cells), however far away.
double wrapped(double position, int cells) {
  const double inside = position - std::floor(position / cells) * cells;
  return std::clamp(inside, 0.0, std::nextafter(static_cast<double>(cells), 0.0));
}

/// Calls `take` for every particle of the beam.
template <class Take>
void make_beam(const Deck& deck, std::size_t i, std::mt19937_64 random, const Grid& grid, double h, Take take) {
  const auto count = static_cast<std::uint64_t>(std::round(deck.beam_particles * deck.scan_ppc[i]));
  const double charge = deck.beam_density * 2 * std::numbers::pi * deck.beam_rms * deck.beam_rms;
  const auto& cells = grid.cells();
  for (std::uint64_t k = 0; k < count; ++k) {
    Particle particle{};
    particle.x = wrapped(deck.scan_beam_x[i] * cells[0] + deck.beam_rms / h * draw_normal(random), cells[0]);
    particle.y = wrapped(cells[1] / 2.0 + deck.beam_rms / h * draw_normal(random), cells[1]);
    particle.ux = deck.beam_ux + deck.beam_u_th * draw_normal(random);
    particle.uy = deck.beam_u_th * draw_normal(random);
    particle.uz = deck.beam_u_th * draw_normal(random);
    particle.weight = charge / static_cast<double>(count);
    take(grid.box_of(static_cast<int>(particle.x), static_cast<int>(particle.y)), particle);
  }
}

/// Numbers of particles are 32 bits wide where they are sorted.
void check_count(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw apps::InputError("a box would have " + std::to_string(count) +
                           " particles, more than 2^32: lower max_grid_size, or the numbers of particles.");
  }
}

}  // namespace

Plasma make_plasma(const Deck& deck, std::size_t i, std::uint64_t seed) {
  const Grid grid({deck.cells(i, 0), deck.cells(i, 1)}, {deck.boxes(0), deck.boxes(1)});
  const double h = deck.cell_size / deck.scan_refine[i];
  std::vector<std::size_t> counts;
  for (std::size_t b = 0; b < grid.boxes(); ++b) {
    const auto& cells = grid.extent(b).cells;
    counts.push_back(static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
                     particles_per_cell(deck, i));
  }
  const std::mt19937_64 of_beam = stream_of(seed, i, grid.boxes());
  make_beam(deck, i, of_beam, grid, h, [&](std::size_t b, const Particle&) { ++counts[b]; });
  std::ranges::for_each(counts, check_count);

  Plasma plasma(grid, h, stable_time_step(h, deck.cfl), counts);
  for (std::size_t b = 0; b < grid.boxes(); ++b) {
    fill_background(deck, i, stream_of(seed, i, b), h, plasma.boxes[b]);
  }
  make_beam(deck, i, of_beam, grid, h,
            [&](std::size_t b, const Particle& particle) { plasma.boxes[b].particles.append(particle); });
  return plasma;
}

std::string describe_plasma(const Deck& deck, std::size_t i) {
  return std::to_string(deck.cells(i, 0)) + " x " + std::to_string(deck.cells(i, 1)) + " cells, " +
         std::to_string(particles_per_cell(deck, i)) + " a cell";
}

Deck scaled(Deck deck, unsigned factor) {
  for (unsigned& cells : deck.n_cell) cells *= factor;
  deck.max_grid_size *= factor;
  deck.beam_rms *= factor;
  // More than 2^32 particles would be a beam of several hundred gigabytes.
  const std::uint64_t particles = std::uint64_t{deck.beam_particles} * factor * factor;
  deck.beam_particles = static_cast<unsigned>(std::min<std::uint64_t>(particles, std::numeric_limits<unsigned>::max()));
  return deck;
}

}  // namespace pic
