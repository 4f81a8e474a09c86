// The bond between the two sites of a pair: which matrices have to be decomposed, and what is kept of them.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/dmrg/quantum.h"

namespace dmrg {

/// What is kept of the singular values. Meant as ITensor's sweep parameters of these names.
struct Truncation {
  std::size_t max_dimension = 100;
  std::size_t min_dimension = 1;
  double cutoff = 0;  ///< largest sum of squares of what is dropped
};

/// Where a (sector, state) stands in the matrix of a sector of the middle bond.
struct Strip {
  std::size_t sector, state, first, size;
};

constexpr std::size_t length_of(const std::vector<Strip>& strips) {
  return strips.empty() ? 0 : strips.back().first + strips.back().size;
}

/// One sector of the middle bond: psi as a matrix A whose rows are those of the tensor that becomes orthogonal, and
/// whose columns are those of the centre. To the right the rows are (left sector, first state), to the left they are
/// (right sector, second state).
struct Middle {
  Quantum quantum;
  std::vector<Strip> rows, columns;
  std::size_t owner = 0;   ///< the thread that decomposes it
  std::size_t offset = 0;  ///< of U (rows x values) in the owner's arena
  std::vector<double> values;
  std::size_t kept = 0;
};

/// All sectors that the bonds left and right of the pair allow.
std::vector<Middle> middles_of(const std::vector<Quantum>& states, const Bond& left, const Bond& right, bool to_right);

/// Decides how many singular values each sector keeps; returns the weight of the others.
double truncate(std::vector<Middle>& middles, const Truncation& truncation);

}  // namespace dmrg
