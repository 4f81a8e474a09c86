// Single-particle orbitals as one table of B-spline coefficients, as quantum Monte Carlo codes have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mc {

/// Random numbers of one walker: SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform();  ///< in [0, 1)
  double normal();

 private:
  std::uint64_t state_;
};

/// An orbital's numbers of quanta along x, y and z.
struct Quanta {
  int along[3];
  int sum() const { return along[0] + along[1] + along[2]; }
};

/// The lowest orbitals of the harmonic oscillator, shell by shell: 1, 4, 10, 20, 35, ... of them are full shells.
std::vector<Quanta> lowest_orbitals(int shells);
/// Normalised, in one dimension.
double oscillator(int quanta, double x);
/// Drawn from the square of the oscillator's function.
double draw_from(int quanta, Random& random);

/// Values at one point, an entry an orbital: what a move needs.
struct OrbitalValues {
  explicit OrbitalValues(std::size_t orbitals) : value(orbitals), gradient{value, value, value}, laplacian(orbitals) {}
  std::vector<double> value, gradient[3], laplacian;
};

/// All orbitals in the cube from -half to half: uniform cubic B-splines through their values at the grid's points.
class SplineTable {
 public:
  SplineTable(const std::vector<Quanta>& orbitals, int intervals, double half);
  std::size_t orbitals() const { return orbitals_; }
  std::size_t bytes() const { return coefficient_.size() * sizeof(float); }
  bool contains(const double (&at)[3]) const;
  /// The point is in the cube.
  void evaluate(const double (&at)[3], OrbitalValues& values) const;

 private:
  std::size_t row(int x, int y) const { return (static_cast<std::size_t>(x) * points_ + y) * points_; }

  std::size_t orbitals_;
  int points_;  ///< coefficients along each axis: intervals + 3
  double half_, step_;
  std::vector<float> coefficient_;  ///< [x][y][z][orbital]
};

}  // namespace mc
