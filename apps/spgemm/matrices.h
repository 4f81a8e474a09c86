// The matrices that the program works through: generated, or read.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "apps/spgemm/csr.h"
#include "apps/spgemm/spgemm_options.h"

namespace spgemm {

// Reader of Matrix Market coordinate files. Format: https://math.nist.gov/MatrixMarket/formats.html

/// Reads `matrix coordinate real|integer|pattern general|symmetric|skew-symmetric`; the half that a symmetric file
/// leaves out is added. Pattern entries have the value 1. `name` stands for the file in error sentences. Throws
/// InputError, "name:line: what is wrong and what was expected".
Triples read_matrix_market(std::istream& stream, const std::string& name);
/// The same from a file. Throws InputError also if the file cannot be opened.
Triples read_matrix_market_file(const std::string& path);

// Adjacency matrices of Kronecker graphs (apps/common/random_graphs.h).

/// The edges of a directed graph with 2^scale vertices and 16 * 2^scale edges, as entries of its adjacency matrix with
/// value 1. Duplicates add up to whole numbers, so that products are exact in any order.
/// Depends on `scale` (at most apps::kronecker_max_scale) and `seed` alone, not on the standard library or the threads.
Triples make_kronecker(unsigned scale, std::uint64_t seed);

struct Input {
  std::string name;
  Triples entries;  ///< as generated or read; kept for the verification
  Csr a;
  ManagedCsr b;  ///< A^T, shared by all threads
};

/// With --kron: a graph for each of the seeds seed, seed + 1, ... With --matrix: the files in turn; when a file's turn
/// comes again, its rows are in another order, so that the work is spread over the threads in another way.
/// Throws InputError (files) and std::bad_alloc.
std::vector<Input> make_inputs(const Options& options);

}  // namespace spgemm
