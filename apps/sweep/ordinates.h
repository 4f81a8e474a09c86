// Discrete ordinates: what the files of this program share.
#pragma once

#include <cstddef>
#include <vector>

namespace sweep {

using Numbers = std::vector<double>;

constexpr int octants = 8;
constexpr int materials = 2;
constexpr int chunk = 4;  ///< cells along x that a thread sweeps in one go

/// A cube of size^3 cells of equal sides, `angles` directions in each octant, `groups` of energies.
struct Grid {
  int size, angles, groups;
  std::size_t cells() const { return static_cast<std::size_t>(size) * size * size; }
  std::size_t faces() const { return static_cast<std::size_t>(size) * size; }
  std::size_t face(int row, int column) const { return static_cast<std::size_t>(row) * size + column; }
  std::size_t cell(int x, int y, int z) const { return (static_cast<std::size_t>(z) * size + y) * size + x; }
  double width() const { return 1.0 / size; }
};

/// Directions of the octant x, y, z > 0; those of the others are mirror images. Weights are equal, 1 in all.
struct Directions {
  explicit Directions(int angles);
  Numbers x, y, z;
  double weight;
};

/// Cross sections by material and group, neutrons' speeds by group, and what is emitted in the source's cells.
struct Physics {
  Physics(int groups, double time_step);
  int groups;
  Numbers total;    ///< [material][group]
  Numbers scatter;  ///< [material][from][to]
  Numbers source;   ///< [group]
  Numbers rate;     ///< [group]: 1 / (speed * time step), which stands beside the total cross section
};

/// Blocks of cells by the diagonal that they lie on: those of one can be swept at the same time.
struct Diagonals {
  explicit Diagonals(const Grid& grid);
  struct Block {
    int chunk, y, z;
  };
  std::vector<Block> block;
  std::vector<int> first;  ///< diagonals + 1
};

struct Problem {
  Problem(const Grid& grid, double time_step);
  Grid grid;
  Directions directions;
  Physics physics;
  Diagonals diagonals;
  std::vector<int> material;  ///< of cells
  std::vector<int> emits;     ///< of cells: 1 where the source is
  Numbers inflow;             ///< [group]: angular flux that enters everywhere; 0 unless somebody sets it
  Numbers inverse;            ///< [group][cell][angle]: 1 / what the angular flux is multiplied by
  void set_inverse();         ///< from material and physics
};

/// Fluxes. Angular ones are by [group][octant][cell][angle], the others by [group][cell].
struct Fluxes {
  explicit Fluxes(const Grid& grid);
  Numbers before, after;           ///< angular, at the begin and the end of the time step
  Numbers scalar, last;            ///< of this iteration and of the one before
  Numbers emitted;                 ///< source and what is scattered into the group
  Numbers face_x, face_y, face_z;  ///< angular, by [group][face][angle]: where the sweep has come to
  Numbers leakage;                 ///< [group]: what has left the cube, less what has entered
};

/// emitted = source + scattering of `last`.
void set_emission(const Problem& problem, Fluxes& fluxes);
/// All octants: from `emitted` and `before` to `after`, `scalar` and `leakage`.
void sweep_octants(const Problem& problem, Fluxes& fluxes);

struct Step {
  int iterations;
  double change;     ///< largest relative change of the scalar flux in the last iteration
  double imbalance;  ///< what is lost or made by the last sweep, as a part of what is emitted
  double smallest;   ///< of the angular flux
};
/// Source iterations until the scalar flux changes by so little, or `most`. Then `before` is what `after` was.
Step advance(const Problem& problem, Fluxes& fluxes, double enough, int most);

/// Scalar fluxes of an infinite medium of this material that emits everywhere.
Numbers infinite_medium(const Physics& physics, int material);

}  // namespace sweep
