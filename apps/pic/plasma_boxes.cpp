#include "apps/pic/plasma_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"

namespace pic {
namespace {

// One row and column more than the guards: a position just below the upper border may be rounded onto it, and then a
// shape of three points ends there, with weight zero.
constexpr int border = 2 * guards + 1;

// Room for what may come from the neighbours before memory has to grow, and for what leaves in a step. Both are
// assumptions about the usual case; growing is right in all others.
std::size_t with_headroom(std::size_t count) { return count + count / 8 + 64; }
std::size_t outbox_size(std::size_t count) { return count / 32 + 64; }

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

std::size_t Grid::boxes() const { return static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]); }

Extent Grid::extent(std::size_t box) const {
  const int column = static_cast<int>(box) % count_[0];
  const int row = static_cast<int>(box) / count_[0];
  const int x = boundary(0, column);
  const int y = boundary(1, row);
  return {{x, y}, {boundary(0, column + 1) - x, boundary(1, row + 1) - y}};
}

std::size_t Grid::neighbour(std::size_t box, std::size_t direction) const {
  const int column = static_cast<int>(box) % count_[0] + offsets[direction][0];
  const int row = static_cast<int>(box) / count_[0] + offsets[direction][1];
  const int x = (column + count_[0]) % count_[0];
  const int y = (row + count_[1]) % count_[1];
  return static_cast<std::size_t>(y * count_[0] + x);
}

std::size_t Grid::box_of(int x, int y) const {
  // The last boundary that is not behind the cell: the inverse of boundary(), which rounds down.
  const auto part = [&](std::size_t axis, int cell) {
    return static_cast<int>((long{cell + 1} * count_[axis] - 1) / cells_[axis]);
  };
  return static_cast<std::size_t>(part(1, y) * count_[0] + part(0, x));
}

Fields::Fields(const std::string& name, const Extent& extent)
    : stride(static_cast<std::size_t>(extent.cells[0] + border)),
      arrays([&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr std::array names{"Ex", "Ey", "Ez", "Bx", "By", "Bz", "Jx", "Jy", "Jz"};
        const std::size_t size = stride * static_cast<std::size_t>(extent.cells[1] + border);
        return std::array<apps::Array<double>, components>{apps::Array<double>(name + "." + names[I], size)...};
      }(std::make_index_sequence<components>())) {
  for (const apps::Array<double>& array : arrays) std::ranges::fill(array, 0.0);
}

std::vector<apps::Array<double>> Particles::make_arrays(const std::string& name, std::size_t capacity) {
  std::vector<apps::Array<double>> arrays;
  arrays.reserve(attributes);
  for (const char* attribute : {"x", "y", "ux", "uy", "uz", "weight"}) {
    arrays.emplace_back(name + "." + attribute, capacity);
  }
  return arrays;
}

Particles::Particles(std::string name, std::size_t capacity)
    : name_(std::move(name)), arrays_(make_arrays(name_, capacity)) {}

Particle Particles::get(std::size_t i) const {
  const Particles& p = *this;
  return {p[X][i], p[Y][i], p[Ux][i], p[Uy][i], p[Uz][i], p[Weight][i]};
}

void Particles::append(const Particle& particle) {
  const Particles& p = *this;
  p[X][count_] = particle.x;
  p[Y][count_] = particle.y;
  p[Ux][count_] = particle.ux;
  p[Uy][count_] = particle.uy;
  p[Uz][count_] = particle.uz;
  p[Weight][count_] = particle.weight;
  ++count_;
}

void Particles::remove(std::size_t i) {
  --count_;
  for (const apps::Array<double>& array : arrays_) array.data()[i] = array.data()[count_];
}

void Particles::grow(std::size_t capacity) {
  if (capacity <= this->capacity()) return;
  std::vector<apps::Array<double>> larger = make_arrays(name_, capacity);
  for (std::size_t a = 0; a < attributes; ++a) std::copy_n(arrays_[a].data(), count_, larger[a].data());
  arrays_.swap(larger);
}

Outbox::Outbox(const std::string& box_name, std::size_t capacity) { memory.emplace(box_name + ".outbox", capacity); }

void Outbox::grow(std::size_t capacity) {
  const std::string name = memory->name();
  if (capacity > memory->size()) memory.emplace(name, capacity);
}

Box::Box(std::size_t number, const Extent& where, std::size_t particle_count)
    : name("box[" + std::to_string(number) + "]"),
      extent(where),
      fields(name, where),
      particles(name, with_headroom(particle_count)),
      outbox(name, outbox_size(particle_count)) {
  sort_space.emplace(name, particles.capacity());
}

Plasma::Plasma(const Grid& domain, double cell_size, double time_step, std::span<const std::size_t> counts)
    : grid(domain), h(cell_size), dt(time_step) {
  boxes.reserve(grid.boxes());
  for (std::size_t b = 0; b < grid.boxes(); ++b) boxes.emplace_back(b, grid.extent(b), counts[b]);
}

double stable_time_step(double cell_size, double cfl) { return cfl * cell_size / std::sqrt(2.0); }

std::vector<const apps::Block*> objects_of(const Plasma& plasma) {
  std::vector<const apps::Block*> objects;
  for (const Box& box : plasma.boxes) {
    for (const apps::Array<double>& array : box.fields.arrays) objects.push_back(&array);
    for (const apps::Array<double>& array : box.particles.arrays()) objects.push_back(&array);
    objects.insert(objects.end(), {&*box.outbox.memory, &box.sort_space->scratch, &box.sort_space->places});
  }
  return objects;
}

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
