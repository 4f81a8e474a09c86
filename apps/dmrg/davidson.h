// The ground state of an effective Hamiltonian by Davidson's method without a preconditioner.
// Source: E. Davidson, J. Comput. Phys. 17 (1975) 87; as in ITensor's dmrg, a few iterations for each pair of sites.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "apps/common/memory.h"
#include "apps/dmrg/effective.h"
#include "apps/dmrg/pair_state.h"
#include "apps/dmrg/team.h"
#include "apps/dmrg/tensor.h"

namespace dmrg {

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
