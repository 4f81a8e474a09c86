#include "apps/tensor/molecule.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "apps/common/random.h"

namespace tensor {
namespace {

struct Atom {
  unsigned electrons;
  unsigned functions;
};
constexpr Atom carbon{.electrons = 6, .functions = 14};
constexpr Atom hydrogen{.electrons = 1, .functions = 5};
constexpr Atom nitrogen{.electrons = 7, .functions = 14};
constexpr Atom oxygen{.electrons = 8, .functions = 14};
constexpr Atom cytosine[] = {carbon,   carbon,   carbon,   carbon,   hydrogen, hydrogen, hydrogen,
                             hydrogen, hydrogen, nitrogen, nitrogen, nitrogen, oxygen};

unsigned draw_irrep(std::mt19937_64& random) {
  constexpr unsigned up_to[irreps] = {11, 11 + 2, 11 + 2 + 4, 11 + 2 + 4 + 7};
  const std::uint64_t point = apps::draw_below(random, up_to[irreps - 1]);
  return static_cast<unsigned>(std::ranges::upper_bound(up_to, point) - std::begin(up_to));
}

void sort_into_tiles(std::vector<Orbital>& orbitals, std::mt19937_64& random) {
  const std::vector<std::uint32_t> order =
      apps::random_permutation(static_cast<std::uint32_t>(orbitals.size()), random);
  std::vector<Orbital> sorted;
  for (unsigned tile = 0; tile < spins * irreps; ++tile) {
    for (const std::uint32_t i : order) {
      if (orbitals[i].spin * irreps + orbitals[i].irrep == tile) sorted.push_back(orbitals[i]);
    }
  }
  orbitals = std::move(sorted);
}

/// Cytosine's atoms in random order, and again when all of them are used.
std::vector<Atom> draw_atoms(unsigned count, std::mt19937_64& random) {
  std::vector<Atom> atoms;
  while (atoms.size() < count) {
    for (const std::uint32_t i : apps::random_permutation(std::size(cytosine), random)) atoms.push_back(cytosine[i]);
  }
  atoms.resize(count);
  return atoms;
}

}  // namespace

Molecule make_molecule(unsigned atoms, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Molecule molecule;
  const std::vector<Atom> chain = draw_atoms(atoms, random);
  for (unsigned atom = 0; atom < atoms; ++atom) {
    const Atom& element = chain[atom];
    for (unsigned i = 0; i < spins * element.functions; ++i) {
      const Orbital orbital{.atom = atom, .spin = i % spins, .irrep = draw_irrep(random)};
      (i < element.electrons ? molecule.occupied : molecule.virtuals).push_back(orbital);
    }
  }
  sort_into_tiles(molecule.occupied, random);
  sort_into_tiles(molecule.virtuals, random);
  return molecule;
}

}  // namespace tensor
