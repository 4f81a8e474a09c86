// Poisson's equation on the unit cube by finite elements: what the files of this program share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fe {

using Point = std::array<double, 3>;

/// Hexahedra that know their eight nodes, the lower four and then the upper four, each counter-clockwise. The cube is
/// cut evenly and then bent inside, so that no two elements have the same shape. Nothing of it is stored.
struct HexMesh {
  int side;  ///< elements along each side
  int width() const { return side + 1; }
  int nodes() const { return width() * width() * width(); }
  int elements() const { return side * side * side; }

  std::array<int, 3> place(int node) const {
    return {node % width(), node / width() % width(), node / width() / width()};
  }
  Point position(int node) const;
  bool on_boundary(int node) const;  ///< where the solution is 0
  std::array<int, 8> nodes_of(int element) const;
  std::array<Point, 8> corners_of(int element) const;
};

/// A sparse matrix by rows, columns ascending, and a right-hand side. Unknowns on the boundary have rows of the
/// identity.
struct LinearSystem {
  std::vector<std::int64_t> first;  ///< rows + 1: where a row begins in column and value
  std::vector<int> column;
  std::vector<double> value;
  std::vector<double> right;
  int rows() const { return static_cast<int>(right.size()); }
};

// The manufactured solution and what makes it one: -div grad u = f, u = 0 on the boundary.
double exact_solution(const Point& at);
double source(const Point& at);

/// Rows from the nodes that share an element; then element by element, in eight colours of which no two elements touch.
LinearSystem assemble(const HexMesh& mesh);
/// The L2 norm of the difference to the exact solution.
double error_of(const HexMesh& mesh, const std::vector<double>& solution);

struct Solved {
  std::vector<double> solution;
  int iterations;
  double residual;  ///< |b - A x| / |b|, computed anew
};
/// Conjugate gradients, until the residual is so small, or `most` iterations.
Solved solve(const LinearSystem& system, double residual, int most);

/// The largest |a_ij - a_ji| of every `stride`-th row, as a part of the diagonal.
double asymmetry_of(const LinearSystem& system, int stride);

/// Where a column is in a row; it has to be there.
std::int64_t find(const LinearSystem& system, int row, int column);

}  // namespace fe
