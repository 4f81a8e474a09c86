// Cloth of masses and springs: forces by springs (in colours, added to both ends) and by nodes, an implicit step by
// conjugate gradients on blocks of three, positions corrected by constraints, a sphere that is hit, contacts among the
// nodes by a sorted grid, normals and wind.
// Source: Baraff and Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998; Müller et al., Position Based Dynamics,
// J. Vis. Commun. Image R. 18, 2007; Provot, Graphics Interface 1995.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/vec.h"

namespace {

using corpus::Vec;
using Index = std::uint32_t;
using Vecs = std::vector<Vec>;

constexpr double stiffness = 50, gap = 0.85;

struct Spring {
  Index a, b;
  double length;
};

struct Cloth {
  std::size_t side;
  Vecs place, velocity;
  std::vector<Spring> springs;
  std::vector<std::size_t> colours;  ///< where each colour begins
  std::size_t size() const { return place.size(); }
};

/// A wavy sheet.
CORPUS_REGION void hang(Cloth& c, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto x = static_cast<double>(i % c.side), y = static_cast<double>(i / c.side);
    const double u = corpus::random_real(seed, i) - 0.5, v = corpus::random_real(seed, ~i) - 0.5;
    c.place[i] = {x + 0.2 * u, y + 0.2 * v, 0.5 * std::sin(x / 5) * std::cos(y / 7)};
    c.velocity[i] = {u, v, u * v};
  }
}

/// Along rows and columns and both diagonals; of each kind the even ones first, then the odd ones.
CORPUS_REGION void knit(Cloth& c) {
  const std::size_t n = c.side;
  std::size_t end = 0;
  constexpr std::array<std::array<int, 2>, 4> steps = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
  for (const auto& [dx, dy] : steps)
    for (std::size_t odd = 0; odd < 2; ++odd) {
      c.colours.push_back(end);
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x) {
          const std::size_t u = x + static_cast<std::size_t>(dx), v = y + static_cast<std::size_t>(dy);
          if (u >= n || v >= n || (dy == 0 ? x : y) % 2 != odd) continue;
          const double length = std::sqrt(static_cast<double>(dx * dx + dy * dy));
          c.springs[end++] = {static_cast<Index>(y * n + x), static_cast<Index>(v * n + u), length};
        }
    }
  c.colours.push_back(end);
  c.springs.resize(end);
}

Vec pull(const Vec& a, const Vec& b, double length) {
  const Vec d = b - a;
  const double far = std::sqrt(dot(d, d));
  return stiffness * (far - length) / far * d;
}

CORPUS_REGION void forces_by_springs(const Cloth& c, Vecs& force) {
#pragma omp parallel
  for (std::size_t colour = 0; colour + 1 < c.colours.size(); ++colour) {
#pragma omp for
    for (std::size_t k = c.colours[colour]; k < c.colours[colour + 1]; ++k) {
      const auto& [a, b, length] = c.springs[k];
      const Vec f = pull(c.place[a], c.place[b], length);
      force[a] = force[a] + f, force[b] = force[b] - f;
    }
  }
}

/// Each node looks at its eight neighbours: no list, nothing is scattered.
CORPUS_REGION void forces_by_nodes(const Cloth& c, Vecs& force) {
  const std::size_t n = c.side;
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) {
      Vec sum{};
      for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, n - 1); ++v)
        for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, n - 1); ++u)
          if (u != x || v != y)
            sum = sum + pull(c.place[y * n + x], c.place[v * n + u], u != x && v != y ? std::sqrt(2.0) : 1.0);
      force[y * n + x] = sum;
    }
}

CORPUS_REGION double difference(const Vecs& a, const Vecs& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, dot(a[i] - b[i], a[i] - b[i]));
  return std::sqrt(most);
}

/// The derivative of a spring's force: a symmetric block, six numbers.
using Block = std::array<double, 6>;

CORPUS_REGION void linearise(const Cloth& c, std::vector<Block>& blocks) {
#pragma omp parallel for
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto& [a, b, length] = c.springs[k];
    const Vec d = c.place[b] - c.place[a];
    const double square = dot(d, d), bent = std::max(1 - length / std::sqrt(square), 0.0);
    const double along = stiffness * (1 - bent) / square, all = stiffness * bent;
    blocks[k] = {along * d.x * d.x + all, along * d.x * d.y, along * d.x * d.z,
                 along * d.y * d.y + all, along * d.y * d.z, along * d.z * d.z + all};
  }
}

Vec times(const Block& m, const Vec& v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[1] * v.x + m[3] * v.y + m[4] * v.z,
          m[2] * v.x + m[4] * v.y + m[5] * v.z};
}

/// q = p + dt^2 K p, spring by spring.
CORPUS_REGION void apply(const Cloth& c, const std::vector<Block>& blocks, double dt, const Vecs& p, Vecs& q) {
#pragma omp parallel
  {
#pragma omp for
    for (std::size_t i = 0; i < p.size(); ++i) q[i] = p[i];
    for (std::size_t colour = 0; colour + 1 < c.colours.size(); ++colour) {
#pragma omp for
      for (std::size_t k = c.colours[colour]; k < c.colours[colour + 1]; ++k) {
        const Vec f = dt * dt * times(blocks[k], p[c.springs[k].b] - p[c.springs[k].a]);
        q[c.springs[k].a] = q[c.springs[k].a] - f, q[c.springs[k].b] = q[c.springs[k].b] + f;
      }
    }
  }
}

CORPUS_REGION double product(const Vecs& a, const Vecs& b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

CORPUS_REGION void descend(double alpha, const Vecs& p, const Vecs& q, Vecs& x, Vecs& r) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + alpha * p[i], r[i] = r[i] - alpha * q[i];
}

CORPUS_REGION void turn(double beta, const Vecs& r, Vecs& p) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
}

/// The change of velocity by an implicit step; how much the residual was reduced.
double implicit_step(const Cloth& c, const std::vector<Block>& blocks, double dt, Vecs& r, Vecs& change) {
  Vecs p = r, q(r.size());
  const double first = product(r, r);
  double rho = first;
  for (int iteration = 0; iteration < 4; ++iteration) {
    apply(c, blocks, dt, p, q);
    descend(rho / product(p, q), p, q, change, r);
    const double next = product(r, r);
    turn(next / rho, r, p);
    rho = next;
  }
  return rho / first;
}

/// The normals of the sheet, from central differences.
CORPUS_REGION void find_normals(const Cloth& c, Vecs& normal) {
  const std::size_t n = c.side;
#pragma omp parallel for
  for (std::size_t y = 1; y < n - 1; ++y)
    for (std::size_t i = y * n + 1; i < y * n + n - 1; ++i) {
      const Vec v = cross(c.place[i + 1] - c.place[i - 1], c.place[i + n] - c.place[i - n]);
      normal[i] = 1 / std::sqrt(dot(v, v)) * v;
    }
}

/// Right side of the implicit step: forces, weight and wind.
CORPUS_REGION void blow(const Cloth& c, const Vecs& normal, const Vecs& force, double dt, Vecs& r) {
  const Vec wind{1, 0.5, 4};
#pragma omp parallel for
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double against = dot(wind - c.velocity[i], normal[i]);
    r[i] = dt * (force[i] + against * normal[i] + Vec{0, 0, -9.81});
  }
}

CORPUS_REGION void move(Cloth& c, const Vecs& change, double dt) {
#pragma omp parallel for
  for (std::size_t i = 0; i < c.size(); ++i) {
    c.velocity[i] = c.velocity[i] + change[i];
    c.place[i] = c.place[i] + dt * c.velocity[i];
  }
}

/// Positions are corrected at once, so that later springs see it: by one lane, in order.
CORPUS_REGION void project(Cloth& c) {
  for (const auto& [a, b, length] : c.springs) {
    const Vec d = c.place[b] - c.place[a];
    const double far = std::sqrt(dot(d, d));
    const Vec half = 0.5 * (1 - length / far) * d;
    c.place[a] = c.place[a] + half, c.place[b] = c.place[b] - half;
  }
}

CORPUS_REGION double stretch(const Cloth& c) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t k = 0; k < c.springs.size(); ++k) {
    const Vec d = c.place[c.springs[k].b] - c.place[c.springs[k].a];
    sum += std::pow(std::sqrt(dot(d, d)) / c.springs[k].length - 1, 2.0);
  }
  return sum;
}

/// Out of a ball in the middle.
CORPUS_REGION std::size_t push_out(Cloth& c) {
  const double middle = static_cast<double>(c.side) / 2, radius = middle / 2;
  std::size_t hits = 0;
#pragma omp parallel for reduction(+ : hits) schedule(static, 512)
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec d = c.place[i] - Vec{middle, middle, 0.9 - radius};
    const double square = dot(d, d);
    if (square >= radius * radius) continue;
    c.place[i] = c.place[i] + (radius / std::sqrt(square) - 1) * d;
    c.velocity[i] = {};
    ++hits;
  }
  return hits;
}

/// Nodes by cells of the plane that they fall into.
struct Cells {
  std::size_t side;
  std::vector<Index> begin, node;
  std::size_t of(const Vec& p) const {
    const auto clamp = [this](double u) { return std::min(static_cast<std::size_t>(std::max(u, 0.0)), side - 1); };
    return clamp(p.y) * side + clamp(p.x);
  }
};

CORPUS_REGION void sort(const Cloth& c, Cells& cells) {
  std::fill(cells.begin.begin(), cells.begin.end(), 0u);
  for (const Vec& p : c.place) ++cells.begin[cells.of(p) + 1];
  for (std::size_t k = 1; k < cells.begin.size(); ++k) cells.begin[k] += cells.begin[k - 1];
  std::vector<Index> next(cells.begin.begin(), cells.begin.end() - 1);
  for (Index i = 0; i < c.size(); ++i) cells.node[next[cells.of(c.place[i])]++] = i;
}

/// Pairs of nodes that are too near to each other, within a cell and its eastern neighbour.
CORPUS_REGION std::size_t find_contacts(const Cloth& c, const Cells& cells) {
  std::size_t contacts = 0;
#pragma omp parallel for reduction(+ : contacts) schedule(dynamic, 64)
  for (std::size_t cell = 0; cell < cells.side * cells.side - 1; ++cell)
    for (Index k = cells.begin[cell]; k < cells.begin[cell + 1]; ++k)
      for (Index l = k + 1; l < cells.begin[cell + 2]; ++l) {
        const Vec d = c.place[cells.node[k]] - c.place[cells.node[l]];
        contacts += dot(d, d) < gap * gap;
      }
  return contacts;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t side = input.pick<std::size_t>(95, 136), n = side * side;
  Cloth c{side, Vecs(n), Vecs(n), {}, {}};
  c.springs.resize(4 * n);
  hang(c, input.seed);
  knit(c);
  Vecs force(n), other(n), normal(n), change(n);
  std::vector<Block> blocks(c.springs.size());
  forces_by_springs(c, force);
  forces_by_nodes(c, other);
  const double apart = difference(force, other), dt = 0.05;
  linearise(c, blocks);
  find_normals(c, normal);
  blow(c, normal, force, dt, other);
  const double reduced = implicit_step(c, blocks, dt, other, change);
  move(c, change, dt);
  const double before = stretch(c);
  for (int sweep = 0; sweep < 2; ++sweep) project(c);
  const double after = stretch(c);
  const std::size_t hits = push_out(c);
  Cells cells{side, std::vector<Index>(n + 1), std::vector<Index>(n)};
  sort(c, cells);
  const std::size_t contacts = find_contacts(c, cells);
  const bool right = apart < 1e-9 && reduced < 0.1 && after < before && hits > 0 && hits < n;
  return {.checksum = after + static_cast<double>(contacts + hits) + c.place[n / 2].z, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
