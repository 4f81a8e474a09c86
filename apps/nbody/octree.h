// Bodies and the tree over them; each node is a block of its own, made by new.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nbody {

struct Vector {
  double x = 0, y = 0, z = 0;
  Vector& operator+=(const Vector& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
};
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(double factor, const Vector& a) { return {factor * a.x, factor * a.y, factor * a.z}; }
inline double square(const Vector& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

/// Where a body was at one time. A body's records are a list, the last one first, which is kept until the end.
struct Record {
  Record* before;
  float place[3];
  float time;
};

/// What a tree is made of.
struct Node {
  double mass = 0;
  Vector centre;  ///< of its mass
};

struct Body : Node {  // centre: its place
  Vector velocity, acceleration;
  double potential;
  Record* orbit;
  bool slow;  ///< takes long time steps
};

/// A cube with bodies; a child is a cell or a body, or null.
struct Cell : Node {
  explicit Cell(double side) : Node{}, width(side) {}
  Node* child[8] = {};
  double width;
  std::uint8_t cells = 0;  ///< bit k: child k is a cell
  bool is_cell(int k) const { return (cells >> k & 1) != 0; }
};

using Bodies = std::vector<Body*>;

constexpr double softening = 0.02;  ///< length below which gravity grows no more

/// All bodies, in subtrees that threads build and remove side by side: 8 x 8 x 8 cubes, each with its bodies in the
/// order of the list, so that trees do not depend on the threads.
class Octree {
 public:
  explicit Octree(const Bodies& bodies);
  Octree(const Octree&) = delete;
  Octree& operator=(const Octree&) = delete;
  ~Octree();

  /// Acceleration and potential of a body (J. Barnes, P. Hut, Nature 324, 1986). Returns the number of terms.
  int attract(Body& body) const;
  std::size_t cells() const;
  double mass() const { return root_->mass; }

 private:
  static constexpr int subtrees = 512;

  std::vector<int> sort(const Bodies& bodies, std::vector<int>& first) const;
  /// The cells down to the subtrees' roots.
  Cell* new_top(int path, int depth, double width);

  Vector corner_;
  double width_;
  Cell* root_;
  std::array<Cell*, subtrees> subtree_{};  ///< roots of the subtrees, by the path that leads to them
};

}  // namespace nbody
