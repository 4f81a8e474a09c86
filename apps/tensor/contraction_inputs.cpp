#include "apps/tensor/contraction_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"
#include "apps/tensor/coo.h"

namespace tensor {
namespace {

using Orbitals = std::vector<Orbital>;

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

/// exp(-distance) of two atoms that many units apart, for all distances.
std::vector<double> exponentials() {
  std::vector<double> table;
  for (unsigned distance = 0; distance < max_atoms; ++distance)
    table.push_back(std::exp(-static_cast<double>(distance)));
  return table;
}

unsigned distance(const Orbital& a, const Orbital& b) { return a.atom > b.atom ? a.atom - b.atom : b.atom - a.atom; }

/// Numbers of the orbitals of each tile, ascending.
struct Tiles {
  explicit Tiles(const Orbitals& orbitals) {
    for (Index i = 0; i < orbitals.size(); ++i) of[orbitals[i].spin][orbitals[i].irrep].push_back(i);
  }
  std::vector<Index> of[spins][irreps];
};

double draw_value(std::mt19937_64& random) {
  const auto number = static_cast<double>(apps::draw_below(random, 16));
  return number < 8 ? number - 8 : number - 7;
}

class Maker {
 public:
  Maker(const Orbitals& r, const Orbitals& s, double cutoff, std::uint64_t seed)
      : r_(r), s_(s), tiles_(s), cutoff_(cutoff), random_(seed) {}

  /// All entries of [p][q], given the magnitude that p and q alone have.
  void add_pair(Entries& to, Index p, const Orbital& of_p, Index q, const Orbital& of_q, double pair) {
    if (pair < cutoff_) return;
    for (Index r = 0; r < r_.size(); ++r) {
      const double three = pair * exponentials_[distance(of_p, r_[r])];
      const unsigned spin = of_p.spin + of_q.spin - r_[r].spin;  // wraps around below 0: refused, too
      if (three < cutoff_ || spin >= spins) continue;
      for (const Index s : tiles_.of[spin][of_p.irrep ^ of_q.irrep ^ r_[r].irrep]) {
        const double magnitude = three * exponentials_[distance(of_q, s_[s])];
        if (magnitude < cutoff_ || magnitude * apps::draw_unit(random_) < cutoff_) continue;
        to.coordinates.insert(to.coordinates.end(), {p, q, r, s});
        to.values.push_back(draw_value(random_));
      }
    }
  }

  double exponential(unsigned distance) const { return exponentials_[distance]; }

 private:
  const Orbitals& r_;
  const Orbitals& s_;
  Tiles tiles_;
  double cutoff_;
  std::mt19937_64 random_;
  std::vector<double> exponentials_ = exponentials();
};

/// A term of the coupled-cluster doubles equations (e.g. J. Stanton et al., J. Chem. Phys. 94, 1991): amplitudes times
/// integrals. Numbers of modes are from 0.
struct Term {
  std::string_view name;
  std::string_view x_spaces;
  std::string_view y_spaces;
  std::vector<unsigned> x_modes;
  std::vector<unsigned> y_modes;
  int more_atoms;  ///< than --atoms says
};

// Sizes: the later terms have roughly a quarter to four times the products of the first one.
const Term terms[] = {
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, 0},   // Z_ijab = sum_cd T_ijcd V_cdab
    {"ring", "oovv", "ovvo", {1, 3}, {0, 2}, 2},              // Z_iajb = sum_kc T_ikac V_kbcj
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, 1},   // the same for a larger molecule
    {"hole ladder", "oovv", "oovo", {0, 1}, {0, 1}, 3},       // Z_abcl = sum_ij T_ijab V_ijcl
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, -1},  // the same for a smaller molecule
    {"ring", "oovv", "ovvo", {1, 3}, {0, 2}, 1},
};

Input generate_one(const Options& options, std::size_t number) {
  constexpr double cutoff = 0.12;  // assumption: a few percent of the places within a block are left
  const Term& change = terms[number % std::size(terms)];
  const Term& term = options.all_terms ? change : terms[0];
  const std::uint64_t seed = options.seed + number;
  const auto atoms = static_cast<unsigned>(std::max(static_cast<int>(options.atoms) + change.more_atoms, 1));
  const Molecule molecule = make_molecule(atoms, seed);
  Input input{std::string(term.name) + " " + std::to_string(atoms) + " atoms",
              make_block_tensor(molecule, term.x_spaces, Decay::amplitude, cutoff, seed),
              make_block_tensor(molecule, term.y_spaces, Decay::coulomb, cutoff, seed + 1),
              {term.x_modes, term.y_modes}};
  input.kind = term.name;
  return input;
}

std::vector<Input> generate(const Options& options) {
  std::vector<Input> inputs;
  inputs.reserve(options.inputs);
  for (std::size_t i = 0; i < options.inputs; ++i) inputs.push_back(generate_one(options, i));
  return inputs;
}

Input read_one(const Files& files, bool again, std::uint64_t seed) {
  Entries x = read_tns_file(files.x);
  const Entries y = read_tns_file(files.y);
  std::string name = files.x + " * " + files.y;
  if (again) {
    x = permute_mode(std::move(x), 0, seed);
    name += " permuted " + std::to_string(seed);
  }
  try {
    return {std::move(name), x, y, files.modes};
  } catch (const apps::InputError& error) {
    throw apps::InputError("--tns " + files.x + " " + files.y + ": " + error.what());
  }
}

std::vector<Input> read(const Options& options) {
  std::vector<Input> inputs;
  inputs.reserve(options.inputs);
  for (std::size_t i = 0; i < options.inputs; ++i) {
    const std::size_t count = options.files.size();
    inputs.push_back(read_one(options.files[i % count], i >= count, options.seed + i));
  }
  return inputs;
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

Entries make_block_tensor(const Molecule& molecule, std::string_view spaces, Decay decay, double cutoff,
                          std::uint64_t seed) {
  const auto orbitals = [&](std::size_t mode) -> const Orbitals& {
    return spaces[mode] == 'o' ? molecule.occupied : molecule.virtuals;
  };
  Entries entries;
  for (std::size_t mode = 0; mode < spaces.size(); ++mode) {
    entries.shape.push_back(static_cast<Index>(orbitals(mode).size()));
  }
  Maker maker(orbitals(2), orbitals(3), cutoff, seed);
  for (Index p = 0; p < entries.shape[0]; ++p) {
    for (Index q = 0; q < entries.shape[1]; ++q) {
      const unsigned apart = distance(orbitals(0)[p], orbitals(1)[q]);
      const double pair = decay == Decay::amplitude ? maker.exponential(apart) : 1.0 / (1.0 + apart);
      maker.add_pair(entries, p, orbitals(0)[p], q, orbitals(1)[q], pair);
    }
  }
  return entries;
}

Input::Input(std::string given_name, const Entries& given_x, const Entries& given_y, const ContractModes& modes)
    : name(std::move(given_name)),
      x("X", given_x),
      y("Y", given_y),
      contraction(make_contraction(given_x.shape, given_y.shape, modes)) {}

std::vector<Input> make_inputs(const Options& options) {
  return options.files.empty() ? generate(options) : read(options);
}

}  // namespace tensor
