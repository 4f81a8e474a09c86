// Level sets and travel times in a plane: the eikonal equation by fast sweeping (by one lane and by tiles along
// diagonals) and by fast marching with a heap; the interface moves by upwind differences of first and of fifth order
// (WENO), is made a distance again, and is smoothed by its curvature.
// Source: Osher and Fedkiw, Level Set Methods and Dynamic Implicit Surfaces, chapters 3, 4, 6, 7; Zhao, Math. Comp. 74,
// 2005 (sweeping); Sethian, Proc. Natl. Acad. Sci. 93, 1996 (marching); Jiang and Peng, SIAM J. Sci. Comput. 21, 2000.
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Field = std::vector<double>;

constexpr std::size_t margin = 3, tile = 8;
constexpr double far_away = 1e9;

struct Plane {
  std::size_t side;  ///< with the margin
  std::size_t size() const { return side * side; }
  std::size_t end() const { return side - margin; }
};

template <class Use>
void inside(const Plane& plane, Use use) {
#pragma omp for
  for (std::size_t y = margin; y < plane.end(); ++y)
    for (std::size_t i = y * plane.side + margin; i < y * plane.side + plane.end(); ++i) use(i);
}

/// Squares of random slowness.
CORPUS_REGION void make_slowness(const Plane& plane, Field& slowness, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x)
      slowness[y * plane.side + x] = 1 + 0.1 * corpus::random_real(seed, y / 32 * plane.side + x / 32);
}

/// The least time by which a wave from the neighbours reaches a point.
double arrival(const Plane& plane, const Field& t, double slowness, std::size_t i) {
  const double a = std::min(t[i - 1], t[i + 1]), b = std::min(t[i - plane.side], t[i + plane.side]);
  const double gap = std::fabs(a - b);
  if (gap >= slowness) return std::min(a, b) + slowness;
  return (a + b + std::sqrt(2 * slowness * slowness - gap * gap)) / 2;
}

/// One of the four orders of a Gauss-Seidel sweep, by one lane; the largest change.
CORPUS_REGION double sweep(const Plane& plane, const Field& slowness, bool down, bool right, Field& t) {
  double change = 0;
  for (std::size_t v = margin; v < plane.end(); ++v)
    for (std::size_t u = margin; u < plane.end(); ++u) {
      const std::size_t i = (down ? v : plane.side - 1 - v) * plane.side + (right ? u : plane.side - 1 - u);
      const double next = arrival(plane, t, slowness[i], i);
      if (next < t[i]) change = std::max(change, t[i] - next), t[i] = next;
    }
  return change;
}

/// The same order by tiles: those along a diagonal do not depend on each other.
CORPUS_REGION void sweep_tiles(const Plane& plane, const Field& slowness, Field& t) {
  const std::size_t n = (plane.side - 2 * margin) / tile;
#pragma omp parallel
  for (std::size_t diagonal = 0; diagonal < 2 * n - 1; ++diagonal) {
    const std::size_t first = diagonal < n ? 0 : diagonal - n + 1, last = std::min(diagonal, n - 1);
#pragma omp for schedule(static)
    for (std::size_t k = first; k <= last; ++k) {
      const std::size_t corner = (margin + k * tile) * plane.side + margin + (diagonal - k) * tile;
      for (std::size_t v = 0; v < tile; ++v)
        for (std::size_t i = corner + v * plane.side; i < corner + v * plane.side + tile; ++i)
          t[i] = std::min(t[i], arrival(plane, t, slowness[i], i));
    }
  }
}

/// Dijkstra's order: the earliest point of the front becomes final.
CORPUS_REGION void march(const Plane& plane, const Field& slowness, std::size_t source, Field& t) {
  std::priority_queue<std::pair<double, std::uint32_t>> front;  // negative times: the earliest is on top
  std::vector<bool> done(plane.size());
  front.emplace(0.0, static_cast<std::uint32_t>(source));
  t[source] = 0;
  while (!front.empty()) {
    const std::size_t i = front.top().second;
    front.pop();
    if (done[i]) continue;
    done[i] = true;
    for (const std::size_t j : {i - 1, i + 1, i - plane.side, i + plane.side}) {
      const std::size_t x = j % plane.side, y = j / plane.side;
      if (x < margin || y < margin || x >= plane.end() || y >= plane.end() || done[j]) continue;
      const double next = arrival(plane, t, slowness[j], j);
      if (next < t[j]) t[j] = next, front.emplace(-next, static_cast<std::uint32_t>(j));
    }
  }
}

CORPUS_REGION double difference(const Field& a, const Field& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

/// The ray from a point back to the source, along the steepest descent from point to point: rate style, one a lane.
CORPUS_REGION double trace_rays(const Plane& plane, const Field& t, std::size_t rays) {
  double steps = 0;
#pragma omp parallel for reduction(+ : steps) schedule(dynamic, 4)
  for (std::size_t ray = 0; ray < rays; ++ray) {
    std::size_t i = (margin + ray * 7919 % (plane.end() - margin)) * plane.side + plane.end() - 1;
    while (t[i] > 0) {
      std::size_t best = i;
      for (const std::size_t j : {i - 1, i + 1, i - plane.side, i + plane.side})
        if (t[j] < t[best]) best = j;
      i = best, ++steps;
    }
  }
  return steps;
}

/// A circle with waves on its edge; it is negative inside, and not a distance.
CORPUS_REGION void draw(const Plane& plane, Field& phi) {
  const double middle = static_cast<double>(plane.side) / 2;
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) {
      const double u = static_cast<double>(x) - middle, v = static_cast<double>(y) - middle;
      const double radius = middle * (0.5 + 0.1 * std::cos(7 * std::atan2(v, u)));
      phi[y * plane.side + x] = (u * u + v * v - radius * radius) / middle;
    }
}

CORPUS_REGION double area(const Field& phi) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < phi.size(); ++i) sum += std::clamp(0.5 - phi[i], 0.0, 1.0);
  return sum;
}

double square(double x) { return x * x; }

/// Godunov's choice between both one-sided differences, for an edge that moves outwards if `out`.
double upwind(double before, double after, bool out) {
  if (!out) std::swap(before, after);
  return std::max(square(std::max(before, 0.0)), square(std::min(after, 0.0)));
}

/// next = phi - speed |grad phi|, first order; the speed depends on the place.
CORPUS_REGION void grow(const Plane& plane, const Field& slowness, const Field& phi, Field& next) {
#pragma omp parallel
  inside(plane, [&](std::size_t i) {
    const double x = upwind(phi[i] - phi[i - 1], phi[i + 1] - phi[i], true);
    const double y = upwind(phi[i] - phi[i - plane.side], phi[i + plane.side] - phi[i], true);
    next[i] = phi[i] - 0.5 / slowness[i] * std::sqrt(x + y);
  });
}

/// Fifth-order weighted difference from six points, p the first; `step` may be negative.
double weno(const double* p, std::ptrdiff_t step) {
  const double a = p[step] - p[0], b = p[2 * step] - p[step], c = p[3 * step] - p[2 * step];
  const double d = p[4 * step] - p[3 * step], e = p[5 * step] - p[4 * step];
  const double rough[] = {13. / 12 * square(a - 2 * b + c) + square(a - 4 * b + 3 * c) / 4,
                          13. / 12 * square(b - 2 * c + d) + square(b - d) / 4,
                          13. / 12 * square(c - 2 * d + e) + square(3 * c - 4 * d + e) / 4};
  const double u = 0.1 / square(rough[0] + 1e-6), v = 0.6 / square(rough[1] + 1e-6), w = 0.3 / square(rough[2] + 1e-6);
  const double parts = u * (2 * a - 7 * b + 11 * c) + v * (-b + 5 * c + 2 * d) + w * (2 * c + 5 * d - e);
  return parts / (6 * (u + v + w));
}

/// next = phi - dt (u, v) . grad phi in a vortex around the middle.
CORPUS_REGION void rotate(const Plane& plane, const Field& phi, double dt, Field& next) {
  const auto row = static_cast<std::ptrdiff_t>(plane.side);
  const double middle = static_cast<double>(plane.side) / 2;
#pragma omp parallel
  inside(plane, [&](std::size_t i) {
    const double u = static_cast<double>(i / plane.side) - middle, v = middle - static_cast<double>(i % plane.side);
    const double* p = &phi[i];
    const double x = u > 0 ? weno(p - 3, 1) : -weno(p + 3, -1);
    const double y = v > 0 ? weno(p - 3 * row, row) : -weno(p + 3 * row, -row);
    next[i] = phi[i] - dt * (u * x + v * y);
  });
}

/// One step towards |grad phi| = 1, where the sign of `first` stays.
CORPUS_REGION double redistance(const Plane& plane, const Field& first, const Field& phi, Field& next) {
  double error = 0;
#pragma omp parallel reduction(+ : error)
  inside(plane, [&](std::size_t i) {
    const bool out = first[i] > 0;
    const double x = upwind(phi[i] - phi[i - 1], phi[i + 1] - phi[i], out);
    const double y = upwind(phi[i] - phi[i - plane.side], phi[i + plane.side] - phi[i], out);
    const double excess = std::sqrt(x + y) - 1;
    next[i] = phi[i] - 0.5 * first[i] / std::sqrt(first[i] * first[i] + 1) * excess;
    error += std::fabs(first[i]) < 10 ? std::fabs(excess) : 0.0;
  });
  return error;
}

/// next = phi + dt curvature |grad phi|: nine points, divisions.
CORPUS_REGION void smooth(const Plane& plane, const Field& phi, double dt, Field& next) {
  const std::size_t row = plane.side;
#pragma omp parallel
  inside(plane, [&](std::size_t i) {
    const double x = (phi[i + 1] - phi[i - 1]) / 2, y = (phi[i + row] - phi[i - row]) / 2;
    const double xx = phi[i + 1] - 2 * phi[i] + phi[i - 1], yy = phi[i + row] - 2 * phi[i] + phi[i - row];
    const double xy = (phi[i + row + 1] - phi[i + row - 1] - phi[i - row + 1] + phi[i - row - 1]) / 4;
    next[i] = phi[i] + dt * (xx * y * y - 2 * x * y * xy + yy * x * x) / (x * x + y * y + 1e-12);
  });
}

/// The points next to the interface, row by row into places of their own.
CORPUS_REGION std::size_t list_edge(const Plane& plane, const Field& phi, std::vector<std::uint32_t>& edge) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t y = margin; y < plane.end(); ++y)
    for (std::size_t i = y * plane.side + margin, found = 0; i < y * plane.side + plane.end(); ++i)
      if (phi[i] * phi[i + 1] <= 0 || phi[i] * phi[i + plane.side] <= 0) {
        edge[y * plane.side + found++] = static_cast<std::uint32_t>(i);
        ++count;
      }
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  const Plane plane{input.pick<std::size_t>(230, 326)};
  const std::size_t source = (margin + 20) * plane.side + margin + 30;
  Field slowness(plane.size()), swept(plane.size(), far_away), tiled = swept, marched = swept;
  make_slowness(plane, slowness, input.seed);
  swept[source] = tiled[source] = 0;
  sweep(plane, slowness, true, true, swept);
  sweep_tiles(plane, slowness, tiled);
  const bool same = difference(swept, tiled) == 0;
  double change = 1;
  for (int order = 1; order < 20 && change > 0; ++order)
    change = sweep(plane, slowness, order % 4 < 2, order % 4 == 0 || order % 4 == 3, swept);
  march(plane, slowness, source, marched);
  const double apart = difference(swept, marched), steps = trace_rays(plane, marched, 200);

  Field& phi = tiled;
  Field next(plane.size()), first(plane.size());
  draw(plane, phi);
  next = phi;
  const double before = area(phi);
  rotate(plane, phi, 0.3 / static_cast<double>(plane.side), next);
  const double rotated = area(next) / before;
  first = phi = next;
  const double uneven = redistance(plane, first, phi, next);
  for (int step = 0; step < 4; ++step, phi.swap(next)) redistance(plane, first, phi, next);
  const double even = redistance(plane, first, phi, next);
  grow(plane, slowness, phi, next);
  const double grown = area(next) / before;
  smooth(plane, next, 0.2, phi);
  std::vector<std::uint32_t> edge(plane.size());
  const auto length = static_cast<double>(list_edge(plane, phi, edge));
  const bool right = same && apart < 1e-9 && std::fabs(rotated - 1) < 1e-3 && grown > rotated && even < 0.7 * uneven;
  return {.checksum = marched[(plane.size() + plane.side) / 2] + steps + grown + length, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
