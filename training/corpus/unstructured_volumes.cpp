// Finite volumes for Euler's equations on an unstructured mesh of triangles: fluxes by edges (Rusanov's, coloured; and
// HLLC's, gathered by cells), gradients by least squares, a limiter, steps in local time, implicit smoothing of
// residuals, renumbering of the cells.
// Source: Blazek, Computational Fluid Dynamics, 3rd edition, chapters 4 to 6; Barth and Jespersen, AIAA 89-0366, 1989;
// Toro, Riemann Solvers, chapter 10; Cuthill and McKee, ACM National Conference, 1969.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using State = std::array<double, 4>;  ///< density, momentum in x and y, energy
using States = std::vector<State>;

constexpr double gamma_gas = 1.4;

struct Point {
  double x, y;
};

struct Edge {
  Index left, right;  ///< cells; `right` may be outside: the same cell, a wall
  Point normal;       ///< from left to right, of the edge's length
};

struct Mesh {
  Index side;
  std::vector<Point> centre;
  std::vector<double> area;
  std::vector<Edge> edges;                       ///< in an order of colours
  std::array<std::size_t, 4> colours{};          ///< where each of the three begins
  std::vector<std::array<Index, 3>> neighbours;  ///< of each cell; its own number at a wall
};

CORPUS_REGION std::vector<Index> shuffled(std::size_t count, std::size_t reach, std::uint64_t seed) {
  std::vector<Index> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<Index>(i);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + corpus::random_below(static_cast<Index>(reach), seed, i);
    std::swap(order[i], order[std::min(j, count - 1)]);
  }
  return order;
}

/// Two triangles in each square of a grid; an edge of each of three directions has a colour.
CORPUS_REGION void find_cells(Mesh& mesh, const std::vector<Index>& number) {
  const std::size_t n = mesh.side;
#pragma omp parallel for
  for (std::size_t square = 0; square < n * n; ++square) {
    const std::size_t x = square % n, y = square / n;
    const Index lower = number[2 * square], upper = number[2 * square + 1];
    const auto u = static_cast<double>(x), v = static_cast<double>(y);
    mesh.centre[lower] = {u + 1.0 / 3, v + 1.0 / 3}, mesh.centre[upper] = {u + 2.0 / 3, v + 2.0 / 3};
    mesh.area[lower] = mesh.area[upper] = 0.5;
    const Index west = x > 0 ? number[2 * square - 1] : lower, south = y > 0 ? number[2 * (square - n) + 1] : lower;
    const Index east = x + 1 < n ? number[2 * square + 2] : upper;
    const Index north = y + 1 < n ? number[2 * (square + n)] : upper;
    mesh.neighbours[lower] = {upper, west, south}, mesh.neighbours[upper] = {lower, east, north};
  }
}

CORPUS_REGION void list_edges(Mesh& mesh, const std::vector<Index>& number) {
  const std::size_t n = mesh.side;
  std::size_t next = 0;
  for (std::size_t square = 0; square < n * n; ++square)
    mesh.edges[next++] = {number[2 * square], number[2 * square + 1], {1, 1}};
  mesh.colours[1] = next;
  for (std::size_t square = 0; square < n * n; ++square) {
    const Index lower = number[2 * square], upper = number[2 * square + 1];
    if (square % n == 0) mesh.edges[next++] = {lower, lower, {-1, 0}};
    mesh.edges[next++] = {upper, square % n + 1 < n ? number[2 * square + 2] : upper, {1, 0}};
  }
  mesh.colours[2] = next;
  for (std::size_t square = 0; square < n * n; ++square) {
    const Index lower = number[2 * square], upper = number[2 * square + 1];
    if (square < n) mesh.edges[next++] = {lower, lower, {0, -1}};
    mesh.edges[next++] = {upper, square + n < n * n ? number[2 * (square + n)] : upper, {0, 1}};
  }
  mesh.colours[3] = next;
}

double pressure(const State& u) { return (gamma_gas - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]); }
double sound(const State& u) { return std::sqrt(gamma_gas * pressure(u) / u[0]); }

/// Through an edge with this normal.
State flux(const State& u, Point n) {
  const double p = pressure(u), through = (u[1] * n.x + u[2] * n.y) / u[0];
  return {u[0] * through, u[1] * through + p * n.x, u[2] * through + p * n.y, (u[3] + p) * through};
}

/// What is behind a wall: the same gas with the normal velocity turned back.
State mirrored(const State& u, Point n) {
  const double c = 2 * (u[1] * n.x + u[2] * n.y) / (n.x * n.x + n.y * n.y);
  return {u[0], u[1] - c * n.x, u[2] - c * n.y, u[3]};
}

/// Rusanov's: the mean, and the jump times the fastest wave.
State rusanov(const State& l, const State& r, Point n) {
  const double size = std::hypot(n.x, n.y);
  const double left = std::fabs(l[1] * n.x + l[2] * n.y) / l[0], right = std::fabs(r[1] * n.x + r[2] * n.y) / r[0];
  const double fastest = std::max(left + sound(l) * size, right + sound(r) * size);
  const State a = flux(l, n), b = flux(r, n);
  State f;
  for (std::size_t k = 0; k < 4; ++k) f[k] = 0.5 * (a[k] + b[k] - fastest * (r[k] - l[k]));
  return f;
}

/// HLLC's: three waves, the middle one being the contact.
State hllc(const State& l, const State& r, Point n) {
  const double size = std::hypot(n.x, n.y);
  const Point e{n.x / size, n.y / size};
  const double ul = (l[1] * e.x + l[2] * e.y) / l[0], ur = (r[1] * e.x + r[2] * e.y) / r[0];
  const double pl = pressure(l), pr = pressure(r), cl = sound(l), cr = sound(r);
  const double sl = std::min(ul - cl, ur - cr), sr = std::max(ul + cl, ur + cr);
  if (sl >= 0) return flux(l, n);
  if (sr <= 0) return flux(r, n);
  const double middle =
      (pr - pl + l[0] * ul * (sl - ul) - r[0] * ur * (sr - ur)) / (l[0] * (sl - ul) - r[0] * (sr - ur));
  const State& u = middle >= 0 ? l : r;
  const double s = middle >= 0 ? sl : sr, v = middle >= 0 ? ul : ur, p = middle >= 0 ? pl : pr;
  const double factor = u[0] * (s - v) / (s - middle);
  const State star = {factor, factor * (u[1] / u[0] + (middle - v) * e.x), factor * (u[2] / u[0] + (middle - v) * e.y),
                      factor * (u[3] / u[0] + (middle - v) * (middle + p / (u[0] * (s - v))))};
  State f = flux(u, n);
  for (std::size_t k = 0; k < 4; ++k) f[k] += size * s * (star[k] - u[k]);
  return f;
}

/// A blast in the middle of noise.
CORPUS_REGION void start(const Mesh& mesh, States& u, std::uint64_t seed) {
  const double middle = mesh.side / 2.0;
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double far = std::hypot(mesh.centre[i].x - middle, mesh.centre[i].y - middle);
    const double density = 1 + 0.1 * corpus::random_real(seed, i);
    u[i] = {density, 0.1 * density, 0.0, (far < middle / 3 ? 10 : 1) / (gamma_gas - 1) + 0.005 * density};
  }
}

CORPUS_REGION void clear(States& residual) {
#pragma omp parallel for
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = {};
}

/// Each edge once: edges of one colour have no cell in common, except at walls, where both are one.
CORPUS_REGION void fluxes_by_edges(const Mesh& mesh, const States& u, States& residual) {
#pragma omp parallel
  for (std::size_t colour = 0; colour < 3; ++colour) {
#pragma omp for
    for (std::size_t k = mesh.colours[colour]; k < mesh.colours[colour + 1]; ++k) {
      const auto& [left, right, normal] = mesh.edges[k];
      const State f = rusanov(u[left], left == right ? mirrored(u[left], normal) : u[right], normal);
      for (std::size_t v = 0; v < 4; ++v) residual[left][v] -= f[v];
      for (std::size_t v = 0; v < 4 && left != right; ++v) residual[right][v] += f[v];
    }
  }
}

constexpr std::array<std::array<Point, 3>, 2> normals = {{{{{1, 1}, {-1, 0}, {0, -1}}}, {{{-1, -1}, {1, 0}, {0, 1}}}}};

/// Whether a cell is the upper one of its square, from its centre.
bool is_upper(const Mesh& mesh, std::size_t cell) {
  return mesh.centre[cell].x - std::floor(mesh.centre[cell].x) > 0.5;
}

/// Each edge twice, once by each cell: nothing is scattered.
template <class Flux>
State sum_fluxes(const Mesh& mesh, const States& u, std::size_t cell, Flux flux_of) {
  State sum{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Point normal = normals[is_upper(mesh, cell)][k];
    const Index other = mesh.neighbours[cell][k];
    const State f = flux_of(u[cell], other == cell ? mirrored(u[cell], normal) : u[other], normal);
    for (std::size_t v = 0; v < 4; ++v) sum[v] -= f[v];
  }
  return sum;
}

CORPUS_REGION void fluxes_by_cells(const Mesh& mesh, const States& u, States& residual) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t cell = 0; cell < u.size(); ++cell) residual[cell] = sum_fluxes(mesh, u, cell, hllc);
}

/// How far Rusanov's fluxes by cells are from those by edges.
CORPUS_REGION double compare(const Mesh& mesh, const States& u, const States& residual) {
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (std::size_t cell = 0; cell < u.size(); ++cell) {
    const State sum = sum_fluxes(mesh, u, cell, rusanov);
    for (std::size_t v = 0; v < 4; ++v) worst = std::max(worst, std::fabs(sum[v] - residual[cell][v]));
  }
  return worst;
}

/// The gradient of density by least squares.
CORPUS_REGION void find_gradients(const Mesh& mesh, const States& u, std::vector<Point>& gradient) {
#pragma omp parallel for
  for (std::size_t cell = 0; cell < u.size(); ++cell) {
    double xx = 1e-12, xy = 0, yy = 1e-12, x = 0, y = 0;
    for (const Index other : mesh.neighbours[cell]) {
      const double dx = mesh.centre[other].x - mesh.centre[cell].x, dy = mesh.centre[other].y - mesh.centre[cell].y;
      const double jump = u[other][0] - u[cell][0];
      xx += dx * dx, xy += dx * dy, yy += dy * dy, x += dx * jump, y += dy * jump;
    }
    const double determinant = xx * yy - xy * xy;
    gradient[cell] = {(yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant};
  }
}

/// Barth and Jespersen's: no new extreme values at the middles of the edges.
CORPUS_REGION double limit(const Mesh& mesh, const States& u, std::vector<Point>& gradient) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t cell = 0; cell < u.size(); ++cell) {
    double low = u[cell][0], high = low, factor = 1;
    for (const Index other : mesh.neighbours[cell])
      low = std::min(low, u[other][0]), high = std::max(high, u[other][0]);
    for (const Point& n : normals[is_upper(mesh, cell)]) {
      const double change = (gradient[cell].x * n.x + gradient[cell].y * n.y) / 6;
      if (change > 0) factor = std::min(factor, (high - u[cell][0]) / change);
      if (change < 0) factor = std::min(factor, (low - u[cell][0]) / change);
    }
    gradient[cell] = {factor * gradient[cell].x, factor * gradient[cell].y};
    sum += factor;
  }
  return sum / static_cast<double>(u.size());
}

CORPUS_REGION double local_steps(const Mesh& mesh, const States& u, std::vector<double>& step) {
  double least = 1;
#pragma omp parallel for reduction(min : least)
  for (std::size_t cell = 0; cell < u.size(); ++cell) {
    const double speed = std::hypot(u[cell][1], u[cell][2]) / u[cell][0] + sound(u[cell]);
    step[cell] = 0.3 * mesh.area[cell] / speed;
    least = std::min(least, step[cell]);
  }
  return least;
}

/// One Jacobi step of the smoothing: neighbours' residuals are mixed in.
CORPUS_REGION void smooth(const Mesh& mesh, const States& residual, States& out) {
#pragma omp parallel for
  for (std::size_t cell = 0; cell < out.size(); ++cell)
    for (std::size_t v = 0; v < 4; ++v) {
      double sum = residual[cell][v];
      for (const Index other : mesh.neighbours[cell]) sum += 0.5 * residual[other][v];
      out[cell][v] = sum / 2.5;
    }
}

CORPUS_REGION void advance(const Mesh& mesh, const States& residual, double step, States& u) {
#pragma omp parallel for
  for (std::size_t cell = 0; cell < u.size(); ++cell)
    for (std::size_t v = 0; v < 4; ++v) u[cell][v] += step / mesh.area[cell] * residual[cell][v];
}

CORPUS_REGION std::array<double, 2> mass_and_energy(const States& u) {
  double mass = 0, energy = 0;
#pragma omp parallel for reduction(+ : mass, energy)
  for (std::size_t cell = 0; cell < u.size(); ++cell) mass += u[cell][0], energy += u[cell][3];
  return {mass, energy};
}

/// Breadth-first numbers, as Cuthill and McKee's; returns the largest distance of neighbours.
CORPUS_REGION std::size_t renumber(const Mesh& mesh, std::vector<Index>& place, std::vector<Index>& order) {
  std::size_t end = 1, width = 0;
  std::fill(place.begin(), place.end(), ~Index{0});
  place[0] = order[0] = 0;
  for (std::size_t k = 0; k < end; ++k)
    for (const Index other : mesh.neighbours[order[k]]) {
      if (place[other] == ~Index{0}) place[other] = static_cast<Index>(end), order[end++] = other;
      width = std::max<std::size_t>(width, place[other] > k ? place[other] - k : 0);
    }
  return end == order.size() ? width : order.size();
}

CORPUS_REGION void reorder(const States& u, const std::vector<Index>& order, States& out) {
#pragma omp parallel for
  for (std::size_t k = 0; k < order.size(); ++k) out[k] = u[order[k]];
}

corpus::Answer program(const corpus::Input& input) {
  const Index side = input.pick<Index>(95, 130);
  const std::size_t cells = 2 * side * side;
  Mesh mesh{side,
            std::vector<Point>(cells),
            std::vector<double>(cells),
            std::vector<Edge>(3 * side * side + 2 * side),
            {},
            std::vector<std::array<Index, 3>>(cells)};
  const std::vector<Index> number = shuffled(cells, 16 * side, input.seed);
  find_cells(mesh, number);
  list_edges(mesh, number);
  States u(cells), residual(cells), other(cells);
  std::vector<Point> gradient(cells);
  std::vector<double> steps(cells);
  std::vector<Index> place(cells), order(cells);
  start(mesh, u, input.seed);
  const auto [mass, energy] = mass_and_energy(u);
  const double step = local_steps(mesh, u, steps);
  clear(residual);
  fluxes_by_edges(mesh, u, residual);
  const double apart = compare(mesh, u, residual);
  advance(mesh, residual, step, u);
  fluxes_by_cells(mesh, u, residual);
  advance(mesh, residual, step, u);
  const auto [mass_after, energy_after] = mass_and_energy(u);
  find_gradients(mesh, u, gradient);
  const double limited = limit(mesh, u, gradient);
  smooth(mesh, residual, other);
  const std::size_t width = renumber(mesh, place, order);
  reorder(u, order, other);
  const bool kept = std::fabs(mass_after - mass) < 1e-9 * mass && std::fabs(energy_after - energy) < 1e-9 * energy;
  const bool right = kept && apart < 1e-12 && limited > 0 && limited < 1 && width < 4 * side;
  return {.checksum = energy + limited + gradient[99].x + other[77][3] + static_cast<double>(width), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
