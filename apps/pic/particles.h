// The particles of one box: a structure of arrays, as AMReX keeps them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/memory.h"
#include "apps/pic/grid.h"

namespace pic {

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

}  // namespace pic
