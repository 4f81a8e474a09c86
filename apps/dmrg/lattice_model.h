// The Hamiltonians, as matrix product operators (MPO). Sources: Schollwoeck, Annals of Physics 326 (2011) 96, section 6
// (operators as finite-state machines); Jordan-Wigner strings as in ITensor's AutoMPO.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "apps/dmrg/bond.h"

namespace dmrg {

enum class Kind : unsigned char {
  heisenberg,  ///< H = sum over neighbours of S_i * S_j, spin 1/2
  hubbard,     ///< H = -sum over neighbours and spins of (c+_i c_j + c+_j c_i) + U sum of n_up n_down
};

/// A lattice of length x width sites with open ends, numbered column by column: width 1 is the chain.
struct ModelOptions {
  Kind kind = Kind::heisenberg;
  std::size_t length = 20;
  std::size_t width = 1;
  double interaction = 4;  ///< Hubbard: U, in units of the hopping
};

/// One element of a site's MPO tensor: <bra| W[left][right] |ket> = value.
struct Element {
  std::size_t left, right;  ///< channels of the bonds left and right of the site
  std::size_t bra, ket;     ///< states of the site
  double value;
};

struct Model {
  std::vector<Quantum> states;                 ///< the quantum number of each state of a site
  std::vector<std::vector<Element>> elements;  ///< of each site
  std::vector<std::vector<Quantum>> channels;  ///< of each bond (sites + 1): the charge that its operators have added
  std::vector<std::size_t> product_state;      ///< where the first sweep starts: the state of each site
  std::size_t sites() const { return elements.size(); }
};

/// Throws apps::InputError if there are fewer than 3 sites.
Model make_model(const ModelOptions& options);

/// All pairs (i, j), i < j, of neighbours.
std::vector<std::pair<std::size_t, std::size_t>> neighbours_of(const ModelOptions& options);

}  // namespace dmrg
