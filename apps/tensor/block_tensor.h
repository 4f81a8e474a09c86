// Generator of block-sparse tensors of order 4, as coupled-cluster theory contracts them.
#pragma once

#include <cstdint>
#include <string_view>

#include "apps/tensor/coo.h"
#include "apps/tensor/molecule.h"

namespace tensor {

enum class Decay : std::uint8_t {
  amplitude,  ///< of the distance of the two pairs: exponential, as correlation falls (Saebo and Pulay, 1993)
  coulomb     ///< of the two charge clouds: one over the distance, as integrals fall
};

/// A tensor [p][q][r][s] whose modes run over the orbitals that `spaces` names: four letters, o (occupied) or v
/// (virtual). p and r belong to one electron, q and s to the other one.
/// Blocks: entries differ from zero only where spin(p) + spin(q) = spin(r) + spin(s) and the product of the four irreps
/// is totally symmetric (Hirata 2003).
/// Within a block: magnitude exp(-distance(p,r) - distance(q,s)), times exp(-distance(p,q)) or 1 / (1 +
/// distance(p,q)), times a random number from [0,1); what is below `cutoff` is screened away, as programs for large
/// molecules do. (Assumption: the form; real ones come out of an integral code.)
/// Values: whole numbers from -8 to 8 without 0, so that sums are exact in any order.
/// Depends on its arguments alone.
Entries make_block_tensor(const Molecule& molecule, std::string_view spaces, Decay decay, double cutoff,
                          std::uint64_t seed);

}  // namespace tensor
