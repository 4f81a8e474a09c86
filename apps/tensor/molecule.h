// The spin-orbitals of an imagined chain molecule: what gives the tensors of coupled-cluster theory their blocks.
#pragma once

#include <cstdint>
#include <vector>

namespace tensor {

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

}  // namespace tensor
