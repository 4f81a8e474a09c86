#include "apps/tensor/block_tensor.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "apps/common/random.h"

namespace tensor {
namespace {

using Orbitals = std::vector<Orbital>;

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

}  // namespace

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

}  // namespace tensor
