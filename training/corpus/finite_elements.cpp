// Finite elements on an unstructured mesh of triangles: assembly (atomic, by colours, into sparse rows), products with
// the matrix element by element, heat by explicit steps, error indicators, edges of the mesh, gradients at nodes.
// Source: Hughes, The Finite Element Method, chapters 1 to 3; Carey and Jiang, Comm. Appl. Num. Meth. 2, 1986 (element
// by element).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
using Values = std::vector<double>;

struct Point {
  double x, y;
};

struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<Index, 3>> triangles;
};

/// A disturbed grid; the numbers of the nodes are shuffled within strips, as mesh generators leave them.
CORPUS_REGION Mesh make_mesh(Index side, corpus::Random& random) {
  std::vector<Index> number(side * side);
  for (Index i = 0; i < number.size(); ++i) number[i] = i;
  for (Index i = 0; i < number.size(); ++i)
    std::swap(number[i], number[std::min<std::size_t>(i + random.below(8 * side), number.size() - 1)]);
  Mesh mesh{std::vector<Point>(number.size()), {}};
  for (Index y = 0; y < side; ++y)
    for (Index x = 0; x < side; ++x)
      mesh.points[number[y * side + x]] = {x + 0.4 * (random.unit() - 0.5), y + 0.4 * (random.unit() - 0.5)};
  for (Index y = 0; y + 1 < side; ++y)
    for (Index x = 0; x + 1 < side; ++x) {
      const Index a = number[y * side + x], b = number[y * side + x + 1], c = number[(y + 1) * side + x];
      const Index d = number[(y + 1) * side + x + 1];
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({b, d, c});
    }
  return mesh;
}

struct Element {
  double area;
  std::array<std::array<double, 3>, 3> stiffness;
};

CORPUS_REGION void integrate(const Mesh& mesh, std::vector<Element>& elements) {
#pragma omp parallel for
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto [i, j, k] = mesh.triangles[e];
    const Point &a = mesh.points[i], &b = mesh.points[j], &c = mesh.points[k];
    const double gx[] = {b.y - c.y, c.y - a.y, a.y - b.y}, gy[] = {c.x - b.x, a.x - c.x, b.x - a.x};
    const double area = 0.5 * std::fabs(gx[0] * gy[1] - gx[1] * gy[0]);
    elements[e].area = area;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t s = 0; s < 3; ++s) elements[e].stiffness[r][s] = (gx[r] * gx[s] + gy[r] * gy[s]) / (4 * area);
  }
}

CORPUS_REGION void lump_mass(const Mesh& mesh, const std::vector<Element>& elements, Values& mass) {
#pragma omp parallel for
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const Index node : mesh.triangles[e])
#pragma omp atomic
      mass[node] += elements[e].area / 3;
}

/// y += K x, element by element: three values are gathered and scattered.
CORPUS_REGION void apply_elements(const Mesh& mesh, const std::vector<Element>& elements, const Values& x, Values& y) {
#pragma omp parallel for
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto& nodes = mesh.triangles[e];
    for (std::size_t r = 0; r < 3; ++r) {
      double sum = 0;
      for (std::size_t s = 0; s < 3; ++s) sum += elements[e].stiffness[r][s] * x[nodes[s]];
#pragma omp atomic
      y[nodes[r]] += sum;
    }
  }
}

/// Elements of one colour have no node in common.
CORPUS_REGION std::vector<std::vector<Index>> colour(const Mesh& mesh) {
  std::vector<std::uint32_t> used(mesh.points.size());
  std::vector<std::vector<Index>> colours;
  for (Index e = 0; e < mesh.triangles.size(); ++e) {
    std::uint32_t taken = 0;
    for (const Index node : mesh.triangles[e]) taken |= used[node];
    std::size_t free = 0;
    while (taken >> free & 1) ++free;
    if (colours.size() <= free) colours.resize(free + 1);
    colours[free].push_back(e);
    for (const Index node : mesh.triangles[e]) used[node] |= 1u << free;
  }
  return colours;
}

CORPUS_REGION void apply_colours(const Mesh& mesh, const std::vector<Element>& elements,
                                 const std::vector<std::vector<Index>>& colours, const Values& x, Values& y) {
#pragma omp parallel
  for (const std::vector<Index>& elements_of : colours) {
#pragma omp for
    for (std::size_t i = 0; i < elements_of.size(); ++i) {
      const Index e = elements_of[i];
      const auto& nodes = mesh.triangles[e];
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t s = 0; s < 3; ++s) y[nodes[r]] += elements[e].stiffness[r][s] * x[nodes[s]];
    }
  }
}

struct Rows {
  std::vector<Index> begin, column;
  Values value;
};

/// Which triangles each node has, then which nodes those have.
CORPUS_REGION Rows find_pattern(const Mesh& mesh) {
  std::vector<Index> begin(mesh.points.size() + 1), of(3 * mesh.triangles.size());
  for (const auto& nodes : mesh.triangles)
    for (const Index node : nodes) ++begin[node + 1];
  for (std::size_t node = 0; node < mesh.points.size(); ++node) begin[node + 1] += begin[node];
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (Index e = 0; e < mesh.triangles.size(); ++e)
    for (const Index node : mesh.triangles[e]) of[next[node]++] = e;
  Rows rows{{0}, {}, {}};
  std::vector<Index> columns;
  for (std::size_t node = 0; node < mesh.points.size(); ++node) {
    columns.clear();
    for (Index k = begin[node]; k < begin[node + 1]; ++k)
      for (const Index other : mesh.triangles[of[k]])
        if (std::find(columns.begin(), columns.end(), other) == columns.end()) columns.push_back(other);
    rows.column.insert(rows.column.end(), columns.begin(), columns.end());
    rows.begin.push_back(static_cast<Index>(rows.column.size()));
  }
  rows.value.resize(rows.column.size());
  return rows;
}

/// Each entry looks for its place in a row.
CORPUS_REGION void assemble(const Mesh& mesh, const std::vector<Element>& elements, Rows& rows) {
#pragma omp parallel for
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t s = 0; s < 3; ++s) {
        Index k = rows.begin[mesh.triangles[e][r]];
        while (rows.column[k] != mesh.triangles[e][s]) ++k;
#pragma omp atomic
        rows.value[k] += elements[e].stiffness[r][s];
      }
}

/// u = u - dt K u / mass
CORPUS_REGION void step(const Rows& rows, const Values& mass, const Values& u, Values& next, double dt) {
#pragma omp parallel for
  for (std::size_t row = 0; row < u.size(); ++row) {
    double sum = 0;
    for (Index k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * u[rows.column[k]];
    next[row] = u[row] - dt * sum / mass[row];
  }
}

/// How steep u is in each element, and where it is steepest.
CORPUS_REGION double indicate(const Mesh& mesh, const std::vector<Element>& elements, const Values& u,
                              std::vector<float>& out) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto [i, j, k] = mesh.triangles[e];
    const double range = std::max({u[i], u[j], u[k]}) - std::min({u[i], u[j], u[k]});
    out[e] = static_cast<float>(range / std::sqrt(elements[e].area));
    most = std::max(most, range);
  }
  return most;
}

CORPUS_REGION double difference(const Values& a, const Values& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Mesh mesh = make_mesh(input.pick<Index>(105, 150), random);
  std::vector<Element> elements(mesh.triangles.size());
  integrate(mesh, elements);
  Values mass(mesh.points.size()), u(mass.size()), by_elements(mass.size()), by_colours(mass.size()), next(mass.size());
  lump_mass(mesh, elements, mass);
  for (double& value : u) value = random.unit();
  apply_elements(mesh, elements, u, by_elements);
  apply_colours(mesh, elements, colour(mesh), u, by_colours);
  Rows rows = find_pattern(mesh);
  assemble(mesh, elements, rows);
  std::vector<float> steepness(elements.size());
  const double before = indicate(mesh, elements, u, steepness);
  for (int i = 0; i < 2; ++i, u.swap(next)) step(rows, mass, u, next, 0.02);
  const double after = indicate(mesh, elements, u, steepness);
  const bool right = difference(by_elements, by_colours) < 1e-9 && after < before * 1.5;
  return {.checksum = before + after + static_cast<double>(steepness[77]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
