#include "apps/spgemm/kronecker.h"

#include <cstddef>
#include <random>
#include <vector>

#include "apps/common/random.h"

namespace spgemm {
namespace {

/// One edge: at each level it falls into one of the four quarters of the matrix.
Triple draw_edge(unsigned scale, std::mt19937_64& random) {
  // Probabilities as shares of the range of 32-bit numbers, as in GAP.
  constexpr double range = 4294967296.0;
  constexpr auto below_a = static_cast<std::uint64_t>(0.57 * range);
  constexpr auto below_b = static_cast<std::uint64_t>((0.57 + 0.19) * range);
  constexpr auto below_c = static_cast<std::uint64_t>((0.57 + 0.19 + 0.19) * range);
  Triple edge{0, 0, 1.0};
  for (unsigned level = 0; level < scale; ++level) {
    const std::uint64_t point = random() >> 32;
    const bool lower = point >= below_b;
    const bool right = lower ? point >= below_c : point >= below_a;
    edge.row = 2 * edge.row + (lower ? 1 : 0);
    edge.column = 2 * edge.column + (right ? 1 : 0);
  }
  return edge;
}

}  // namespace

Triples make_kronecker(unsigned scale, std::uint64_t seed) {
  const Index vertices = Index{1} << scale;
  std::mt19937_64 random(seed);
  Triples graph{vertices, vertices, {}};
  graph.entries.resize(std::size_t{kronecker_edge_factor} * vertices);
  for (Triple& edge : graph.entries) edge = draw_edge(scale, random);
  // Without the permutation the first rows would be the heaviest ones.
  const std::vector<Index> name = apps::random_permutation(vertices, random);
  for (Triple& edge : graph.entries) {
    edge.row = name[edge.row];
    edge.column = name[edge.column];
  }
  return graph;
}

}  // namespace spgemm
