// A plasma in boxes: how the domain is cut into them, their fields and their particles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/pic/deck.h"

namespace pic {

// How the periodic domain is cut into boxes, as AMReX cuts it.

/// Layers of cells around a box that belong to its neighbours. A particle that leaves its box moves by less than a cell
/// before it changes hands, and deposits at most two points outside.
inline constexpr int guards = 2;

/// A rectangle of the domain: cells [begin, begin + cells) in x (0) and y (1).
struct Extent {
  /// -1, 0 or 1: below, in or above this box in one direction.
  int side(std::size_t axis, double position) const {
    if (position < begin[axis]) return -1;
    return position >= begin[axis] + cells[axis] ? 1 : 0;
  }

  std::array<int, 2> begin;
  std::array<int, 2> cells;
};

/// The eight neighbours of a box; direction d and direction 7 - d are opposite.
inline constexpr std::size_t directions = 8;
inline constexpr std::array<std::array<int, 2>, directions> offsets{
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
constexpr std::size_t opposite(std::size_t direction) { return directions - 1 - direction; }
/// The direction with the offset (dx, dy), each -1, 0 or 1 and not both 0.
constexpr std::size_t direction_of(int dx, int dy) {
  const int number = 3 * (dy + 1) + dx + 1;
  return static_cast<std::size_t>(number > 4 ? number - 1 : number);
}

/// The domain and its boxes, which are numbered row by row.
class Grid {
 public:
  /// `count` boxes in each direction, as equal as they can be; no box has fewer than `guards` cells in a direction.
  Grid(std::array<int, 2> cells, std::array<int, 2> count) : cells_(cells), count_(count) {}

  const std::array<int, 2>& cells() const { return cells_; }
  std::size_t boxes() const;
  Extent extent(std::size_t box) const;
  /// May be the box itself: the domain is periodic.
  std::size_t neighbour(std::size_t box, std::size_t direction) const;
  /// The box that holds a cell.
  std::size_t box_of(int x, int y) const;

 private:
  int boundary(std::size_t axis, int number) const {
    return static_cast<int>(long{cells_[axis]} * number / count_[axis]);
  }

  std::array<int, 2> cells_;
  std::array<int, 2> count_;
};

// The fields of one box on Yee's staggered grid.
// Source: K. Yee, "Numerical solution of initial boundary value problems involving Maxwell's equations in isotropic
// media", IEEE Trans. Antennas Propag. 14(3), 1966.

/// In units of cells from the lower corner of cell (i, j): Ex, Jx and By lie at (i + 1/2, j), Ey, Jy and Bx at
/// (i, j + 1/2), Ez and Jz at (i, j), Bz at (i + 1/2, j + 1/2).
enum Component : std::size_t { Ex, Ey, Ez, Bx, By, Bz, Jx, Jy, Jz };
inline constexpr std::size_t components = 9;

struct Fields {
  Fields(const std::string& name, const Extent& extent);

  /// Where cell (x, y), counted from the box's first one, has its value; from -guards to cells + guards.
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y + guards) * stride + static_cast<std::size_t>(x + guards);
  }
  double* operator[](Component c) const { return arrays[c].data(); }

  std::size_t stride;  ///< from a row to the next
  std::array<apps::Array<double>, components> arrays;
};

// The particles of one box: a structure of arrays, as AMReX keeps them.

/// Positions are in cells of the domain, momenta in m c, a weight is the number of electrons.
struct Particle {
  double x, y, ux, uy, uz, weight;
};

enum Attribute : std::size_t { X, Y, Ux, Uy, Uz, Weight };
inline constexpr std::size_t attributes = 6;

class Particles {
 public:
  Particles(std::string name, std::size_t capacity);

  std::size_t count() const { return count_; }
  std::size_t capacity() const { return arrays_.front().size(); }
  double* operator[](Attribute a) const { return arrays_[a].data(); }
  const std::vector<apps::Array<double>>& arrays() const { return arrays_; }

  Particle get(std::size_t i) const;
  /// There must be room.
  void append(const Particle& particle);
  /// The last one takes its place.
  void remove(std::size_t i);
  /// New memory for `capacity` particles with what is in the old one, if that is too small.
  void grow(std::size_t capacity);

 private:
  static std::vector<apps::Array<double>> make_arrays(const std::string& name, std::size_t capacity);

  std::string name_;
  std::vector<apps::Array<double>> arrays_;  ///< one an attribute
  std::size_t count_ = 0;
};

/// Particles on their way to another box, those of one direction together.
struct Outbox {
  Outbox(const std::string& box_name, std::size_t capacity);
  /// What is in it is lost.
  void grow(std::size_t capacity);

  std::optional<apps::Array<Particle>> memory;       ///< always there; replaced to grow
  std::array<std::size_t, directions> leaving{};     ///< how many will leave, counted while they are pushed
  std::array<std::size_t, directions + 1> begins{};  ///< where a direction begins in the array
};

// One plasma: fields and electrons in boxes. The ions are a background at rest that makes the start neutral.

/// What sorting a box's particles takes.
struct SortSpace {
  SortSpace(const std::string& box_name, std::size_t capacity)
      : scratch(box_name + ".scratch", capacity), places(box_name + ".places", capacity) {}

  apps::Array<double> scratch;        ///< one attribute
  apps::Array<std::uint32_t> places;  ///< which particle will be the i-th one
};

struct Box {
  Box(std::size_t number, const Extent& where, std::size_t particle_count);

  std::string name;
  Extent extent;
  Fields fields;
  Particles particles;
  Outbox outbox;
  std::optional<SortSpace> sort_space;  ///< always there; replaced to grow
};

/// Units: the speed of light, the electron's charge (-1) and mass, the plasma frequency of density 1.
struct Plasma {
  /// `counts[b]` particles are to come to box b. Fields are zero; what charge there is at the start has its opposite at
  /// rest in the same place, as in WarpX without an initial Poisson solve.
  Plasma(const Grid& domain, double cell_size, double time_step, std::span<const std::size_t> counts);

  double courant() const { return dt / h; }  ///< how many cells light goes in a step

  Grid grid;
  double h;   ///< size of a cell
  double dt;  ///< time step
  std::vector<Box> boxes;
};

/// The time step that is `cfl` times the longest stable one of Yee's scheme in two dimensions.
double stable_time_step(double cell_size, double cfl);

/// All objects of a plasma, the same number in the same order for the same number of boxes.
std::vector<const apps::Block*> objects_of(const Plasma& plasma);

// The plasmas of a deck's study: how many particles, and of which size, does the physics take?

/// Plasma `i` of the study, with random particles: plasma_ppc in each cell, momenta normally distributed, and the beam,
/// a Gaussian in x and y, behind them and in random order, as WarpX's injectors make them. Particles depend on the
/// deck, `i` and `seed` alone. Throws std::bad_alloc.
Plasma make_plasma(const Deck& deck, std::size_t i, std::uint64_t seed);

/// "192 x 128 cells, 14 a cell"
std::string describe_plasma(const Deck& deck, std::size_t i);

/// The deck with `factor` times the cells, and cells of a box, in each direction at the same size of a cell, and a beam
/// that is so much longer and wider.
Deck scaled(Deck deck, unsigned factor);

}  // namespace pic
