// From the optimised wave function of two sites back to two tensors: truncated singular value decompositions, one for
// each sector of the bond between them. Source: Schollwoeck, Annals of Physics 326 (2011) 96, sections 4.1.3 and 4.5.1.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "apps/common/memory.h"
#include "apps/dmrg/davidson.h"
#include "apps/dmrg/middle.h"
#include "apps/dmrg/pair_state.h"
#include "apps/dmrg/tensor.h"

namespace dmrg {

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
