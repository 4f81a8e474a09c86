// Points in space: a k-d tree with nearest-neighbour search, and Barnes and Hut's octree with forces from multipoles.
// Source: Bentley, CACM 18(9), 1975; Barnes and Hut, Nature 324, 1986.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Point = std::array<float, 3>;
using Points = std::vector<Point>;

CORPUS_REGION void make_points(Points& points, corpus::Random& random) {
  for (Point& point : points) {
    const double shrink = random.unit();
    for (float& x : point) x = static_cast<float>(0.5 + (random.unit() - 0.5) * shrink);
  }
}

float square_distance(const Point& a, const Point& b) {
  const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/// The median of a piece is its root; axes take turns. The tree is the order of the points.
CORPUS_REGION void build_kd(Points& points) {
  struct Piece {
    std::ptrdiff_t low, high;
    std::size_t axis;
  };
  std::vector<Piece> stack{{0, std::ssize(points), 0}};
  while (!stack.empty()) {
    const auto [low, high, axis] = stack.back();
    stack.pop_back();
    if (high - low < 2) continue;
    const std::ptrdiff_t middle = (low + high) / 2;
    std::nth_element(points.begin() + low, points.begin() + middle, points.begin() + high,
                     [axis](const Point& a, const Point& b) { return a[axis] < b[axis]; });
    stack.push_back({low, middle, (axis + 1) % 3});
    stack.push_back({middle + 1, high, (axis + 1) % 3});
  }
}

float nearest(const Points& tree, const Point& to, std::ptrdiff_t low, std::ptrdiff_t high, std::size_t axis,
              float best) {
  if (low >= high) return best;
  const std::ptrdiff_t middle = (low + high) / 2;
  const Point& here = tree[static_cast<std::size_t>(middle)];
  best = std::min(best, square_distance(here, to));
  const float beyond = to[axis] - here[axis];
  const std::size_t next = (axis + 1) % 3;
  best = beyond < 0 ? nearest(tree, to, low, middle, next, best) : nearest(tree, to, middle + 1, high, next, best);
  if (beyond * beyond < best)
    best = beyond < 0 ? nearest(tree, to, middle + 1, high, next, best) : nearest(tree, to, low, middle, next, best);
  return best;
}

CORPUS_REGION void find_nearest(const Points& tree, const Points& questions, std::vector<float>& distance) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t i = 0; i < distance.size(); ++i)
    distance[i] = nearest(tree, questions[i], 0, std::ssize(tree), 0, 9);
}

CORPUS_REGION float nearest_directly(const Points& points, const Point& to) {
  float best = 9;
#pragma omp parallel for reduction(min : best)
  for (std::size_t i = 0; i < points.size(); ++i) best = std::min(best, square_distance(points[i], to));
  return best;
}

struct Cell {
  Point centre;
  float size = 0, mass = 0;
  Point weight{};                        ///< the centre of mass times the mass
  std::array<std::uint32_t, 8> child{};  ///< 0: none
  std::uint32_t body = ~0u;              ///< of a leaf
};

std::size_t octant(const Cell& cell, const Point& p) {
  return (p[0] > cell.centre[0]) + 2u * (p[1] > cell.centre[1]) + 4u * (p[2] > cell.centre[2]);
}

Cell child_of(const Cell& cell, std::size_t place, std::uint32_t body) {
  Cell child{.centre = cell.centre, .size = cell.size / 2, .body = body};
  for (std::size_t axis = 0; axis < 3; ++axis) child.centre[axis] += (place >> axis & 1 ? 0.25f : -0.25f) * cell.size;
  return child;
}

CORPUS_REGION void build_octree(const Points& points, std::vector<Cell>& cells) {
  cells.push_back({.centre = {0.5f, 0.5f, 0.5f}, .size = 1});
  for (std::uint32_t body = 0; body < points.size(); ++body) {
    std::uint32_t at = 0;
    for (int depth = 0; depth < 30; ++depth) {
      const std::size_t place = octant(cells[at], points[body]);
      const std::uint32_t next = cells[at].child[place];
      if (next == 0) {
        cells[at].child[place] = static_cast<std::uint32_t>(cells.size());
        cells.push_back(child_of(cells[at], place, body));
        break;
      }
      if (const std::uint32_t other = cells[next].body; other != ~0u) {  // a leaf becomes a cell with its body below it
        cells[next].body = ~0u;
        const std::size_t below = octant(cells[next], points[other]);
        cells[next].child[below] = static_cast<std::uint32_t>(cells.size());
        cells.push_back(child_of(cells[next], below, other));
      }
      at = next;
    }
  }
}

/// Children have larger numbers than their parents.
CORPUS_REGION void sum_masses(const Points& points, std::vector<Cell>& cells) {
  for (std::size_t i = cells.size(); i-- > 0;) {
    Cell& cell = cells[i];
    if (cell.body != ~0u) {
      cell.mass = 1;
      cell.weight = points[cell.body];
    }
    for (const std::uint32_t child : cell.child) {
      if (child == 0) continue;
      cell.mass += cells[child].mass;
      for (std::size_t axis = 0; axis < 3; ++axis) cell.weight[axis] += cells[child].weight[axis];
    }
  }
}

Point force_on(const Point& p, const std::vector<Cell>& cells, std::vector<std::uint32_t>& stack) {
  Point force{};
  stack.assign(1, 0);
  while (!stack.empty()) {
    const Cell& cell = cells[stack.back()];
    stack.pop_back();
    const float inverse = 1 / cell.mass;
    const Point centre{cell.weight[0] * inverse, cell.weight[1] * inverse, cell.weight[2] * inverse};
    const float square = square_distance(centre, p) + 1e-6f;
    if (cell.body != ~0u || cell.size * cell.size < square) {
      const float strength = cell.mass / (square * std::sqrt(square));
      for (std::size_t axis = 0; axis < 3; ++axis) force[axis] += strength * (centre[axis] - p[axis]);
      continue;
    }
    for (const std::uint32_t child : cell.child)
      if (child != 0) stack.push_back(child);
  }
  return force;
}

CORPUS_REGION void find_forces(const Points& points, const std::vector<Cell>& cells, std::size_t step, Points& force) {
#pragma omp parallel
  {
    std::vector<std::uint32_t> stack;
#pragma omp for schedule(dynamic, 8)
    for (std::size_t i = 0; i < points.size(); i += step) force[i] = force_on(points[i], cells, stack);
  }
}

CORPUS_REGION void move(Points& points, const Points& force) {
#pragma omp parallel for
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) points[i][axis] += 1e-9f * force[i][axis];
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  Points points(input.pick<std::size_t>(16'000, 28'000)), tree(points.size() * 2), force(points.size());
  make_points(points, random);
  make_points(tree, random);
  build_kd(tree);
  std::vector<float> distance(input.pick<std::size_t>(1'500, 2'500));
  find_nearest(tree, points, distance);
  bool right = true;
  for (std::size_t i = 0; i < 3; ++i) right = right && nearest_directly(tree, points[i]) == distance[i];
  std::vector<Cell> cells;
  cells.reserve(points.size() * 2);
  build_octree(points, cells);
  sum_masses(points, cells);
  find_forces(points, cells, 64, force);
  move(points, force);
  right = right && cells[0].mass == static_cast<float>(points.size());
  return {.checksum = static_cast<double>(force[64][0]) + static_cast<double>(distance[7]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
