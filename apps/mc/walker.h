// A walker: electrons of two spins, each spin with a Slater determinant of its own.
#pragma once

#include <memory>
#include <vector>

#include "apps/mc/spline_orbitals.h"

namespace mc {

using Matrix = std::vector<double>;

/// Electrons of one spin in as many orbitals. Matrices are by [electron][orbital].
struct Determinant {
  explicit Determinant(std::size_t electrons);
  std::size_t electrons;
  Matrix place;                   ///< [electron][3]
  Matrix value;                   ///< of the orbitals where the electrons are
  Matrix gradient[3], laplacian;  ///< of the orbitals, there
  Matrix inverse;                 ///< of value, transposed
};

/// What a walker adds to the estimates.
struct Sample {
  double energy = 0;
  double spread = 0;  ///< sum of the squares of the electrons' distances from the middle
};

class Walker {
 public:
  /// Electrons lie where those of independent oscillators would.
  Walker(const SplineTable& table, const std::vector<Quanta>& orbitals, std::uint64_t seed);
  /// Every electron is moved once, by drift and diffusion, or stays. Returns how many moved.
  int step(const SplineTable& table, double time, OrbitalValues& work);
  Sample sample() const;
  /// The largest entry of value * inverse - 1: what updates have lost.
  double error_of_inverse() const;
  std::uint64_t bits() const;  ///< of all places

 private:
  bool move(const SplineTable& table, Determinant& spin, std::size_t electron, double time, OrbitalValues& work);

  Random random_;
  std::unique_ptr<Determinant> spin_[2];
};

}  // namespace mc
