// Light in a scene of triangles: a hierarchy of bounding boxes by Morton codes, rays that agree and rays that do not,
// shadows, rays through a grid of lists of triangles.
// Source: Lauterbach et al., Eurographics 2009 (Morton codes); Moeller, Trumbore, J. Graphics Tools 2(1), 1997;
// Amanatides, Woo, Eurographics 1987 (grid).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;
using Floats = std::vector<float>;
using Point = std::array<float, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
float dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Box {
  Point low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
  void add(const Box& b) {
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], b.low[k]), high[k] = std::max(high[k], b.high[k]);
  }
};

struct Triangle {
  std::array<Point, 3> corner;
  Box box() const {
    Box b;
    for (const Point& c : corner) b.add({c, c});
    return b;
  }
};

using Triangles = std::vector<Triangle>;

/// Small triangles, anywhere in the unit cube.
CORPUS_REGION void make_scene(Triangles& scene, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t t = 0; t < scene.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < 3; ++k)
        scene[t].corner[c][k] = static_cast<float>(0.97 * corpus::random_real(seed, t * 3 + k) +
                                                   0.03 * corpus::random_real(seed + 1, (t * 3 + c) * 3 + k));
}

std::uint32_t spread(float x) {
  auto v = static_cast<std::uint32_t>(x * 1023);
  v = (v | v << 16) & 0x030000ff, v = (v | v << 8) & 0x0300f00f, v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}

struct Key {
  std::uint32_t code, triangle;
};

CORPUS_REGION void make_keys(const Triangles& scene, std::vector<Key>& keys) {
#pragma omp parallel for
  for (std::size_t t = 0; t < scene.size(); ++t) {
    const Point& c = scene[t].corner[0];
    keys[t] = {spread(c[0]) | spread(c[1]) << 1 | spread(c[2]) << 2, static_cast<std::uint32_t>(t)};
  }
}

/// By radix, eleven bits at a time.
CORPUS_REGION void sort_keys(std::vector<Key>& keys, std::vector<Key>& other) {
  for (unsigned shift = 0; shift < 33; shift += 11) {
    std::array<std::uint32_t, 2049> start{};
    for (const Key& key : keys) ++start[(key.code >> shift & 2047) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (const Key& key : keys) other[start[key.code >> shift & 2047]++] = key;
    keys.swap(other);
  }
}

CORPUS_REGION void reorder(const Triangles& scene, const std::vector<Key>& keys, Triangles& out) {
#pragma omp parallel for
  for (std::size_t t = 0; t < keys.size(); ++t) out[t] = scene[keys[t].triangle];
}

/// A complete binary tree over groups of four triangles that are neighbours in order; node k has 2k and 2k + 1.
struct Tree {
  std::size_t leaves;
  std::vector<Box> nodes = std::vector<Box>(2 * leaves);
};

CORPUS_REGION void bound_leaves(const Triangles& scene, Tree& tree) {
#pragma omp parallel for
  for (std::size_t leaf = 0; leaf < tree.leaves; ++leaf) {
    Box box;
    for (std::size_t t = 4 * leaf; t < 4 * leaf + 4; ++t) box.add(scene[t].box());
    tree.nodes[tree.leaves + leaf] = box;
  }
}

CORPUS_REGION void bound_nodes(Tree& tree) {
  for (std::size_t first = tree.leaves / 2; first > 0; first /= 2)
#pragma omp parallel for
    for (std::size_t node = first; node < 2 * first; ++node) {
      tree.nodes[node] = tree.nodes[2 * node];
      tree.nodes[node].add(tree.nodes[2 * node + 1]);
    }
}

struct Ray {
  Point origin, direction, inverse;
};

Ray ray(const Point& origin, const Point& direction) {
  return {origin, direction, {1 / direction[0], 1 / direction[1], 1 / direction[2]}};
}

bool enters(const Ray& r, const Box& box, float before) {
  float from = 0, to = before;
  for (std::size_t k = 0; k < 3; ++k) {
    const float a = (box.low[k] - r.origin[k]) * r.inverse[k], b = (box.high[k] - r.origin[k]) * r.inverse[k];
    from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

/// Where a ray meets a triangle; `before` if it does not, or later.
float meets(const Ray& r, const Triangle& t, float before) {
  const Point a = minus(t.corner[1], t.corner[0]), b = minus(t.corner[2], t.corner[0]), p = cross(r.direction, b);
  const float scale = 1 / dot(a, p);
  const Point from = minus(r.origin, t.corner[0]), q = cross(from, a);
  const float u = dot(from, p) * scale, v = dot(r.direction, q) * scale, at = dot(b, q) * scale;
  return u >= 0 && v >= 0 && u + v <= 1 && at > 1e-5f && at < before ? at : before;
}

/// The first triangle that a ray meets, or, for shadows, any.
[[gnu::always_inline]] inline float trace(const Tree& tree, const Triangles& scene, const Ray& r, bool any,
                                          float before) {
  std::array<std::uint32_t, 64> stack{1};
  std::size_t count = 1;
  float at = before;
  while (count > 0 && !(any && at < before)) {
    const std::uint32_t node = stack[--count];
    if (!enters(r, tree.nodes[node], at)) continue;
    if (node < tree.leaves) {
      stack[count++] = 2 * node, stack[count++] = 2 * node + 1;
    } else {
      for (std::size_t t = 4 * (node - tree.leaves); t < 4 * (node - tree.leaves) + 4; ++t) at = meets(r, scene[t], at);
    }
  }
  return at;
}

Ray camera(std::size_t side, std::size_t pixel) {
  const float x = static_cast<float>(pixel % side) / static_cast<float>(side);
  const float y = static_cast<float>(pixel / side) / static_cast<float>(side);
  return ray({0.5f, 0.5f, -1}, {x - 0.4987f, y - 0.4991f, 1});
}

/// Rays from one point through the pixels of a picture: neighbours visit the same nodes.
CORPUS_REGION void look(const Tree& tree, const Triangles& scene, std::size_t side, Floats& depth) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t p = 0; p < depth.size(); ++p) depth[p] = trace(tree, scene, camera(side, p), false, 1e3f);
}

/// From where they met on, in all directions: neighbours have nothing in common.
CORPUS_REGION void scatter(const Tree& tree, const Triangles& scene, std::uint64_t seed, Floats& length) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t p = 0; p < length.size(); ++p) {
    Point from, to;
    for (std::size_t k = 0; k < 3; ++k) {
      from[k] = static_cast<float>(corpus::random_real(seed, 6 * p + k));
      to[k] = static_cast<float>(corpus::random_real(seed, 6 * p + 3 + k)) - 0.5f;
    }
    length[p] = trace(tree, scene, ray(from, to), false, 1e3f);
  }
}

/// Does the light reach it? Any triangle between will do.
CORPUS_REGION std::size_t shadows(const Tree& tree, const Triangles& scene, std::size_t side, const Floats& depth) {
  std::size_t dark = 0;
#pragma omp parallel for reduction(+ : dark) schedule(dynamic, 64)
  for (std::size_t p = 0; p < depth.size(); ++p) {
    const Ray r = camera(side, p);
    Point at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = r.origin[k] + depth[p] * r.direction[k];
    dark += depth[p] < 1e3f && trace(tree, scene, ray(at, minus({0.3f, 2, 0.4f}, at)), true, 1) < 1;
  }
  return dark;
}

/// Every triangle in each cell of a grid that its box touches: lists that are linked.
struct Grid {
  static constexpr std::size_t side = 48;
  Numbers first = Numbers(side * side * side, ~0u);
  std::vector<std::array<std::uint32_t, 2>> links;  ///< triangle, next
};

std::size_t cell(float x) { return static_cast<std::size_t>(std::clamp(x, 0.0f, 0.9999f) * Grid::side); }

CORPUS_REGION void fill_grid(const Triangles& scene, Grid& grid) {
  for (std::uint32_t t = 0; t < scene.size(); ++t) {
    const Box box = scene[t].box();
    for (std::size_t z = cell(box.low[2]); z <= cell(box.high[2]); ++z)
      for (std::size_t y = cell(box.low[1]); y <= cell(box.high[1]); ++y)
        for (std::size_t x = cell(box.low[0]); x <= cell(box.high[0]); ++x) {
          std::uint32_t& first = grid.first[(z * Grid::side + y) * Grid::side + x];
          grid.links.push_back({t, first});
          first = static_cast<std::uint32_t>(grid.links.size() - 1);
        }
  }
}

/// From cell to cell along the rays of the camera.
CORPUS_REGION void look_through_grid(const Grid& grid, const Triangles& scene, std::size_t side, Floats& depth) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t p = 0; p < depth.size(); ++p) {
    const Ray r = camera(side, p);
    float at = 1e3f, here = 1;  // the ray enters the cube at a depth of 1
    while (here < 2.03f && at > here) {
      std::array<std::size_t, 3> c;
      float next = 1e3f;
      for (std::size_t k = 0; k < 3; ++k) {
        c[k] = cell(r.origin[k] + (here + 1e-5f) * r.direction[k]);
        const float wall = static_cast<float>(c[k] + (r.direction[k] > 0)) / Grid::side;
        const float reached = (wall - r.origin[k]) * r.inverse[k];
        if (reached > here) next = std::min(next, reached);
      }
      for (std::uint32_t l = grid.first[(c[2] * Grid::side + c[1]) * Grid::side + c[0]]; l != ~0u; l = grid.links[l][1])
        at = meets(r, scene[grid.links[l][0]], at);
      here = std::max(next, here + 1e-4f);
    }
    depth[p] = at;
  }
}

std::size_t different(const Floats& a, const Floats& b) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < a.size(); ++p) count += std::fabs(a[p] - b[p]) > 1e-3f;
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t leaves = input.pick<std::size_t>(8'192, 16'384), side = input.pick<std::size_t>(72, 88);
  Triangles random_order(4 * leaves), scene(4 * leaves);
  make_scene(random_order, input.seed);
  std::vector<Key> keys(scene.size()), other(scene.size());
  make_keys(random_order, keys);
  sort_keys(keys, other);
  reorder(random_order, keys, scene);
  Tree tree{leaves};
  bound_leaves(scene, tree);
  bound_nodes(tree);
  Floats depth(side * side), by_grid(side * side), length(side * side / 4);
  look(tree, scene, side, depth);
  scatter(tree, scene, input.seed + 2, length);
  const std::size_t dark = shadows(tree, scene, side, depth);
  Grid grid;
  grid.links.resize(8 * scene.size()), grid.links.clear();  // pages are there, then
  fill_grid(random_order, grid);
  look_through_grid(grid, random_order, side, by_grid);
  return {.checksum = static_cast<double>(dark) + static_cast<double>(length[99] + depth[777]),
          .right = different(depth, by_grid) < side * side / 100};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
