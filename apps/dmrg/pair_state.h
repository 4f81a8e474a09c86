// The wave function of two neighbouring sites: what one optimisation of DMRG works on.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/dmrg/model.h"
#include "apps/dmrg/quantum.h"

namespace dmrg {

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

}  // namespace dmrg
