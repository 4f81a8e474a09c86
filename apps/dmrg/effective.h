// The Hamiltonian of the chain as two neighbouring sites see it, and its product with their wave function.
// Source: Schollwoeck, Annals of Physics 326 (2011) 96, section 6.3; parallel over blocks of the wave function as in
// Hager, Jeckelmann, Fehske, Wellein, J. Comput. Phys. 194 (2004) 795.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/dmrg/environment.h"
#include "apps/dmrg/pair_state.h"

namespace dmrg {

/// One vector in the memory of its owners: element i of owner t is parts[t][i].
using Parts = std::vector<double*>;

/// References must outlive it.
class EffectiveHamiltonian {
 public:
  EffectiveHamiltonian(const Environment& left, const Bond& left_bond, const Environment& right, const Bond& right_bond,
                       const std::vector<PairElement>& elements, const PairLayout& layout);

  /// Elements of scratch memory that the product needs for this owner's blocks.
  std::size_t scratch_size(std::size_t owner, std::size_t owners) const;
  /// The blocks of y = H * x that `owner` has. Reads blocks of x of all owners. Every sum has a fixed order.
  void multiply(std::size_t owner, const Parts& x, const Parts& y, double* scratch) const;

 private:
  std::size_t products_size(std::size_t row) const;
  std::size_t widest(std::size_t row) const;
  void multiply_left(std::size_t row, const Parts& x, double* scratch, std::vector<const double*>& products) const;
  void multiply_right(std::size_t block, const std::vector<const double*>& products, double* sum, double* y) const;
  std::size_t product_index(std::size_t channel, std::size_t first, std::size_t second) const {
    return (channel * layout_.states + first) * layout_.states + second;
  }

  const Environment& left_;
  const Bond& left_bond_;
  const Environment& right_;
  const Bond& right_bond_;
  const std::vector<PairElement>& elements_;
  const PairLayout& layout_;
  std::vector<std::size_t> begin_;  // of (bra states): where their elements begin
};

}  // namespace dmrg
