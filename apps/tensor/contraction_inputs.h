// The contractions that the program works through: generated, or read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/tensor_options.h"

namespace tensor {

// The spin-orbitals of an imagined chain molecule: what gives the tensors of coupled-cluster theory their blocks.

inline constexpr unsigned max_atoms = 200;
inline constexpr unsigned spins = 2;
inline constexpr unsigned irreps = 4;  ///< of the point group C2v

struct Orbital {
  unsigned atom;   ///< where it is centred; neighbours in the chain are one unit apart
  unsigned spin;   ///< 0 or 1
  unsigned irrep;  ///< product of two: exclusive or
};

/// Both lists in tiles of equal spin and irrep, as NWChem's Tensor Contraction Engine tiles them (S. Hirata, J. Phys.
/// Chem. A 107, 2003): tiles are of different size. Within a tile orbitals are in random order, as those of different
/// atoms are mixed by energy.
struct Molecule {
  std::vector<Orbital> occupied;
  std::vector<Orbital> virtuals;
};

/// Atoms are dealt, in random order, from those of cytosine, C4H5N3O (the Merchandiser paper's input), basis cc-pVDZ:
/// 14 functions on C, N and O, 5 on H, each for two spins; as many occupied spin-orbitals as electrons. Irreps are
/// drawn with the frequencies of water in cc-pVDZ, 11:2:4:7 (a1, a2, b1, b2). Depends on its arguments alone.
Molecule make_molecule(unsigned atoms, std::uint64_t seed);

// Generator of block-sparse tensors of order 4, as coupled-cluster theory contracts them.

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

struct Input {
  Input(std::string given_name, const Entries& given_x, const Entries& given_y, const ContractModes& modes);

  std::string name;
  std::string kind{};  ///< the term, or the files: other ones are other work
  Coo x;
  Coo y;
  Contraction contraction;
};

/// With --atoms: terms of the coupled-cluster doubles equations for molecules of different size, the first of them the
/// base input. With --tns: the files in turn; when their turn comes again, the indices of the first mode of X are in
/// another order. Throws InputError (files) and std::bad_alloc.
std::vector<Input> make_inputs(const Options& options);

}  // namespace tensor
