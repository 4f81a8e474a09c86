// What the threads of a parallel region do together on distributed vectors, with results that do not depend on how many
// they are: sums are made block by block, and the blocks' sums in the order of the layout.
#pragma once

#include <omp.h>
#include <cstddef>
#include <span>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/dmrg/bond.h"
#include "apps/dmrg/dense_matrix.h"
#include "apps/dmrg/effective.h"

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

// The ground state of an effective Hamiltonian by Davidson's method without a preconditioner.
// Source: E. Davidson, J. Comput. Phys. 17 (1975) 87; as in ITensor's dmrg, a few iterations for each pair of sites.

/// Each owner's memory: its parts of the basis, of the products H * basis, and scratch memory.
struct DavidsonMemory {
  DavidsonMemory(const PairLayout& layout, std::span<const std::size_t> scratch, std::size_t iterations);

  Parts vector(std::size_t number) const { return parts(basis, number); }
  Parts image(std::size_t number) const { return parts(images, number); }

  std::vector<std::size_t> sizes;
  std::vector<apps::Array<double>> basis, images, scratch;

 private:
  Parts parts(const std::vector<apps::Array<double>>& arrays, std::size_t number) const;
};

struct DavidsonResult {
  double energy = 0;
  std::size_t products = 0;  ///< H * x
};

/// Below this residual there is nothing to gain: ITensor's default error goal.
inline constexpr double residual_goal = 1e-14;

/// The two sites before they are optimised: `first` in left form, `second` in right form, and their three bonds.
struct Pair {
  const std::vector<Quantum>& states;
  const Bond &left, &middle, &right;
  const SiteTensor &first, &second;
};

/// Starts from first * second, normalised, and leaves the ground state in vector(0). All threads of a parallel region
/// call it with the same `partial`, which has room for all blocks of the layout, and all get the result; it does not
/// depend on how many they are. A barrier has to follow before others' parts of vector(0) are read.
DavidsonResult davidson(const EffectiveHamiltonian& hamiltonian, const PairLayout& layout, const Pair& pair,
                        std::size_t iterations, const DavidsonMemory& memory, PartialSums& partial);

}  // namespace dmrg
