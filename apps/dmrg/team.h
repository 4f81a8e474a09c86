// What the threads of a parallel region do together on distributed vectors, with results that do not depend on how many
// they are: sums are made block by block, and the blocks' sums in the order of the layout.
#pragma once

#include <omp.h>

#include <cstddef>
#include <vector>

#include "apps/dmrg/effective.h"
#include "apps/dmrg/gemm.h"
#include "apps/dmrg/pair_state.h"

namespace dmrg {

/// Shared by the threads of a region: the blocks' parts of a sum, twice, so that one barrier a sum is enough.
using PartialSums = std::vector<double>[2];

/// One thread's view. It works for its own owner, and for further ones if the OpenMP runtime grants fewer threads.
class Team {
 public:
  /// `partial` has room for all blocks in both halves.
  Team(const PairLayout& layout, PartialSums& partial) : layout_(layout), partial_(partial) {}

  void barrier() const {
#pragma omp barrier
  }
  /// Calls f(owner) for all that this thread works for.
  template <class F>
  void each(F f) const {
    const auto step = static_cast<std::size_t>(omp_get_num_threads());
    for (auto owner = static_cast<std::size_t>(omp_get_thread_num()); owner < layout_.sizes.size(); owner += step) {
      f(owner);
    }
  }
  /// The scalar product; all threads get it. They have to call it together.
  double dot(const Parts& x, const Parts& y) {
    std::vector<double>& partial = partial_[turn_];
    turn_ = 1 - turn_;
    each([&](std::size_t owner) {
      for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
        const PairBlock& block = layout_.blocks[i];
        if (block.owner != owner) continue;
        partial[i] = dmrg::dot(block.size, x[owner] + block.offset, y[owner] + block.offset);
      }
    });
    barrier();
    double sum = 0;
    for (const double part : partial) sum += part;
    return sum;
  }
  void add_scaled(double factor, const Parts& x, const Parts& y) const {
    each([&](std::size_t owner) { dmrg::add_scaled(layout_.sizes[owner], factor, x[owner], y[owner]); });
  }
  void scale(double factor, const Parts& x) const {
    each([&](std::size_t owner) {
      for (std::size_t i = 0; i < layout_.sizes[owner]; ++i) x[owner][i] *= factor;
    });
  }

 private:
  const PairLayout& layout_;
  PartialSums& partial_;
  std::size_t turn_ = 0;
};

}  // namespace dmrg
