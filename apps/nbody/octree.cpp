#include "apps/nbody/octree.h"

#include <algorithm>
#include <cmath>

namespace nbody {
namespace {

constexpr double opening = 1;  // a cell that is wider than this part of its distance is opened
constexpr int deepest = 60;    // bodies at one place would be divided for ever: one is left out, which mass() shows
constexpr int top = 3;         // levels above the subtrees

int octant_of(const Vector& at, const Vector& middle) {
  return (at.x >= middle.x ? 1 : 0) | (at.y >= middle.y ? 2 : 0) | (at.z >= middle.z ? 4 : 0);
}

Vector corner_of(const Vector& corner, double half, int octant) {
  return {corner.x + (octant & 1 ? half : 0), corner.y + (octant & 2 ? half : 0), corner.z + (octant & 4 ? half : 0)};
}

/// Puts a body where it belongs; where another one is, cells are made until the two are in different octants.
void insert(Cell* cell, Vector corner, Body* body) {
  for (int depth = 0; depth < deepest; ++depth) {
    const double half = cell->width / 2;
    const int k = octant_of(body->centre, {corner.x + half, corner.y + half, corner.z + half});
    corner = corner_of(corner, half, k);
    if (cell->child[k] == nullptr) {
      cell->child[k] = body;
      return;
    }
    if (!cell->is_cell(k)) {
      auto* const other = static_cast<Body*>(cell->child[k]);
      auto* const between = new Cell(half);
      const int of_other = octant_of(other->centre, {corner.x + half / 2, corner.y + half / 2, corner.z + half / 2});
      between->child[of_other] = other;
      cell->child[k] = between;
      cell->cells = static_cast<std::uint8_t>(cell->cells | 1 << k);
    }
    cell = static_cast<Cell*>(cell->child[k]);
  }
}

/// Masses and centres of so many levels, from below.
void sum_up(Cell* cell, int levels) {
  cell->mass = 0;
  cell->centre = {};
  for (int k = 0; k < 8; ++k) {
    Node* child = cell->child[k];
    if (child == nullptr) continue;
    if (levels > 1 && cell->is_cell(k)) sum_up(static_cast<Cell*>(child), levels - 1);
    cell->mass += child->mass;
    cell->centre += child->mass * child->centre;
  }
  if (cell->mass > 0) cell->centre = 1 / cell->mass * cell->centre;
}

/// So many levels of cells; no body.
void remove(Cell* cell, int levels) {
  for (int k = 0; k < 8 && levels > 1; ++k)
    if (cell->is_cell(k)) remove(static_cast<Cell*>(cell->child[k]), levels - 1);
  delete cell;
}

std::size_t cells_in(const Cell* cell) {
  std::size_t sum = 1;
  for (int k = 0; k < 8; ++k)
    if (cell->is_cell(k)) sum += cells_in(static_cast<const Cell*>(cell->child[k]));
  return sum;
}

}  // namespace

Cell* Octree::new_top(int path, int depth, double width) {
  auto* const cell = new Cell(width);
  if (depth == top) return subtree_[path] = cell;
  for (int k = 0; k < 8; ++k) cell->child[k] = new_top(8 * path + k, depth + 1, width / 2);
  cell->cells = 0xff;
  return cell;
}

/// Bodies by subtree, in the order of the list, and where each subtree's begin.
std::vector<int> Octree::sort(const Bodies& bodies, std::vector<int>& first) const {
  const int size = static_cast<int>(bodies.size());
  std::vector<int> path(size), order(size);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < size; ++i) {
    Vector corner = corner_;
    double half = width_ / 2;
    for (int depth = 0; depth < top; ++depth, half /= 2) {
      const int k = octant_of(bodies[i]->centre, {corner.x + half, corner.y + half, corner.z + half});
      corner = corner_of(corner, half, k);
      path[i] = 8 * path[i] + k;
    }
  }
  for (const int of : path) ++first[of + 1];
  for (int of = 0; of < subtrees; ++of) first[of + 1] += first[of];
  std::vector<int> next(first.begin(), first.end() - 1);
  for (int i = 0; i < size; ++i) order[next[path[i]]++] = i;
  return order;
}

Octree::Octree(const Bodies& bodies) {
  double reach = 0;
  const int size = static_cast<int>(bodies.size());
#pragma omp parallel for schedule(static) reduction(max : reach)
  for (int i = 0; i < size; ++i) {
    const Vector& at = bodies[i]->centre;
    reach = std::max({reach, std::abs(at.x), std::abs(at.y), std::abs(at.z)});
  }
  corner_ = {-reach, -reach, -reach};
  width_ = 2 * reach;
  root_ = new_top(0, 0, width_);
  std::vector<int> first(subtrees + 1);
  const std::vector<int> order = sort(bodies, first);
#pragma omp parallel for schedule(dynamic, 1)
  for (int of = 0; of < subtrees; ++of) {
    Vector corner = corner_;
    for (int bit = 6, level = 1; bit >= 0; bit -= 3, ++level)
      corner = corner_of(corner, std::ldexp(width_, -level), of >> bit & 7);
    for (int i = first[of]; i < first[of + 1]; ++i) insert(subtree_[of], corner, bodies[order[i]]);
    sum_up(subtree_[of], deepest);
  }
  sum_up(root_, top);
}

Octree::~Octree() {
#pragma omp parallel for schedule(dynamic, 1)
  for (int of = 0; of < subtrees; ++of) remove(subtree_[of], deepest);
  remove(root_, top);
}

std::size_t Octree::cells() const { return cells_in(root_); }

int Octree::attract(Body& body) const {
  const Cell* open[8 * deepest];
  int waiting = 0, terms = 0;
  Vector sum;
  double potential = 0;
  open[waiting++] = root_;
  while (waiting > 0) {
    const Cell* cell = open[--waiting];
    const double wide = cell->width / 2;  // what its children are
    for (int k = 0; k < 8; ++k) {
      const Node* child = cell->child[k];
      if (child == nullptr || child == &body) continue;
      const Vector towards = child->centre - body.centre;
      const double far = square(towards);
      if (cell->is_cell(k) && wide * wide > opening * opening * far) {
        open[waiting++] = static_cast<const Cell*>(child);
        continue;
      }
      const double inverse = 1 / std::sqrt(far + softening * softening);
      potential -= child->mass * inverse;
      sum += child->mass * inverse * inverse * inverse * towards;
      ++terms;
    }
  }
  body.acceleration = sum;
  body.potential = potential;
  return terms;
}

}  // namespace nbody
