// Random numbers, and the random graphs that are made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace apps {

// Random numbers that are the same with every standard library.

/// A number from [0, bound). `bound` > 0.
std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound);
/// A number from [0, 1), with 53 random bits.
double draw_unit(std::mt19937_64& random);
/// A random order of 0 .. count-1.
std::vector<std::uint32_t> random_permutation(std::uint32_t count, std::mt19937_64& random);

// The Kronecker (R-MAT) generator of the GAP benchmark suite: a graph with a power-law degree distribution.
// Source: S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite", arXiv:1508.03619, and the parameters of
// Graph500: A = 0.57, B = 0.19, C = 0.19, D = 0.05, 16 edges a vertex, vertices permuted at the end.

inline constexpr unsigned kronecker_edge_factor = 16;
inline constexpr unsigned kronecker_max_scale = 26;

/// A non-zero of the adjacency matrix: an edge from vertex `row` to vertex `column`.
struct Cell {
  std::uint32_t row;
  std::uint32_t column;
};

/// One edge among 2^scale vertices, before the permutation: at each level it falls into one quarter of the matrix.
Cell draw_kronecker_cell(unsigned scale, std::mt19937_64& random);

/// The number of edges of a graph with 2^scale vertices.
constexpr std::size_t kronecker_edges(unsigned scale) { return std::size_t{kronecker_edge_factor} << scale; }

/// Fills the members `row` and `column` of `edges`, a list of kronecker_edges(scale) entries, with a directed graph of
/// 2^scale vertices; parallel edges and self-loops occur. Depends on `scale` (at most kronecker_max_scale) and `seed`
/// alone, not on the standard library or the threads.
template <class Edges>
void fill_kronecker(unsigned scale, std::uint64_t seed, Edges& edges) {
  std::mt19937_64 random(seed);
  for (auto& edge : edges) {
    const Cell cell = draw_kronecker_cell(scale, random);
    edge.row = cell.row;
    edge.column = cell.column;
  }
  // Without the permutation the first rows would be the heaviest ones.
  const std::vector<std::uint32_t> name = random_permutation(std::uint32_t{1} << scale, random);
  for (auto& edge : edges) {
    edge.row = name[edge.row];
    edge.column = name[edge.column];
  }
}

}  // namespace apps
