// The bond between the two sites of a pair: which matrices have to be decomposed, and what is kept of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/dmrg/bond.h"
#include "apps/dmrg/davidson.h"
#include "apps/dmrg/effective.h"

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

// From the optimised wave function of two sites back to two tensors: truncated singular value decompositions, one for
// each sector of the bond between them. Source: Schollwoeck, Annals of Physics 326 (2011) 96, sections 4.1.3 and 4.5.1.

struct SplitResult {
  Bond middle;
  SiteTensor first, second;
  double discarded;  ///< sum of the squares of the singular values that were dropped
};

/// To the right: `first` is orthogonal, in left form, and `second` is the centre, in left form. To the left: `second`
/// is orthogonal, in right form, and `first` is the centre, in right form. The wave function, vector(0), is normalised.
/// References must outlive it.
class Splitter {
 public:
  Splitter(const PairLayout& layout, const std::vector<Quantum>& states, const Bond& left, const Bond& right,
           const DavidsonMemory& memory, const Truncation& truncation, bool to_right);

  /// One for each thread: U of its sectors, and behind them the matrix that is worked on.
  std::span<const apps::Array<double>> arenas() const { return arenas_; }
  /// All threads of a parallel region call it; it ends with a barrier.
  void run();
  /// After run().
  SplitResult take() { return std::move(*result_); }

 private:
  void allocate(std::size_t threads);
  template <class F>
  void each(F f) const;
  double* gather(const Middle& middle, bool transposed) const;
  double* vectors(const Middle& middle) const;
  void decompose(Middle& middle) const;
  void truncate();
  void fill(std::size_t sector);

  const PairLayout& layout_;
  const std::vector<Quantum>& states_;
  const Bond& left_;
  const Bond& right_;
  const DavidsonMemory& memory_;
  const Truncation& truncation_;
  bool to_right_;
  std::vector<Middle> middles_;
  std::vector<std::size_t> work_offsets_;  // of each owner's work space in its arena
  std::vector<apps::Array<double>> arenas_;
  std::optional<SplitResult> result_;
};

}  // namespace dmrg
