// What the Hamiltonian of all sites on one side of a bond looks like from that bond.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/dmrg/bond.h"
#include "apps/dmrg/lattice_model.h"

namespace dmrg {

/// One vector in the memory of its owners: element i of owner t is parts[t][i].
using Parts = std::vector<double*>;

enum class Side : unsigned char { left, right };

/// One operator block for every MPO channel w and pair of sectors with bra = ket + charge(w). A block is a matrix of
/// bra x ket states on the left and of ket x bra states on the right (so it stands right of psi without transposing).
/// The thread that owns the row's sector has the block in its arena.
class Environment {
 public:
  /// Elements are not initialised.
  Environment(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads);

  /// The block of these sectors in this channel, or nullptr.
  double* find(std::size_t channel, std::size_t row) const {
    const Place& place = places_[channel * sectors_ + row];
    return place.column == none ? nullptr : arenas_[owner_of(row, arenas_.size())].data() + place.offset;
  }
  /// The column's sector that goes with this row in this channel, or `none`.
  std::size_t column_of(std::size_t channel, std::size_t row) const { return places_[channel * sectors_ + row].column; }
  std::size_t channels() const { return places_.size() / sectors_; }
  const std::vector<apps::Array<double>>& arenas() const { return arenas_; }

 private:
  struct Place {
    std::size_t column = none;
    std::size_t offset = 0;
  };
  std::size_t sectors_;
  std::vector<Place> places_;  // of (channel, row)
  std::vector<apps::Array<double>> arenas_;
};

/// The environment at the end of the chain: one state; nothing on the left, everything on the right.
Environment make_boundary(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads);

/// Fills `next` with `before` and one site more (Schollwoeck, Eqs. 192 to 194). All threads of a parallel region call
/// it, each fills the blocks that it owns; a barrier has to follow. `site` is in the form of this side; bonds are those
/// of `before` and `next`.
void extend(Side side, const Environment& before, const Bond& before_bond, const SiteTensor& site,
            std::span<const Element> elements, const Bond& next_bond, Environment& next);

// The wave function of two neighbouring sites: what one optimisation of DMRG works on.

/// A matrix of (states of the left bond) x (states of the right bond).
struct PairBlock {
  std::size_t left;           ///< sector of the left bond
  std::size_t first, second;  ///< states of the two sites
  std::size_t right;          ///< sector of the right bond
  std::size_t offset;         ///< in the owner's part of the vector
  std::size_t size;           ///< number of elements
  std::size_t owner;
};

/// All blocks that quantum numbers allow, in ascending order of (left, first, second). The thread that owns the left
/// sector owns the block.
struct PairLayout {
  PairLayout(const Bond& left, const Bond& right, const std::vector<Quantum>& states, std::size_t threads);

  std::size_t find(std::size_t left, std::size_t first, std::size_t second) const {
    return index[(left * states + first) * states + second];
  }

  std::size_t states;
  std::vector<PairBlock> blocks;
  std::vector<std::size_t> index;  ///< of (left, first, second)
  std::vector<std::size_t> sizes;  ///< elements of each owner's part
};

/// One element of the product of two sites' MPO tensors: from the ket states to the bra states of both.
struct PairElement {
  std::size_t left, right;  ///< channels
  std::size_t bra_first, bra_second, ket_first, ket_second;
  double value;
};

/// W * W', summed over the bond between the sites, sorted by (bra states, right channel).
std::vector<PairElement> combine(const std::vector<Element>& first, const std::vector<Element>& second);

// The Hamiltonian of the chain as two neighbouring sites see it, and its product with their wave function.
// Source: Schollwoeck, Annals of Physics 326 (2011) 96, section 6.3; parallel over blocks of the wave function as in
// Hager, Jeckelmann, Fehske, Wellein, J. Comput. Phys. 194 (2004) 795.

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
