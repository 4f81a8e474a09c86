#include "apps/tensor/contraction_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "apps/tensor/coo.h"

namespace tensor {
namespace {

constexpr double cutoff = 0.1;

TEST(MakeMolecule, CytosineHasItsElectronsAndBasisFunctions) {
  // 13 atoms are dealt from exactly one cytosine: 58 electrons, and 8 * 14 + 5 * 5 functions of cc-pVDZ.
  const Molecule cytosine = make_molecule(13, 1);
  EXPECT_EQ(cytosine.occupied.size(), 58U);
  EXPECT_EQ(cytosine.virtuals.size(), 2U * (8 * 14 + 5 * 5) - 58U);
}

TEST(MakeMolecule, OrbitalsStandInTilesOfDifferentSize) {
  const Molecule molecule = make_molecule(26, 1);
  const auto tile = [](const Orbital& orbital) { return std::tuple(orbital.spin, orbital.irrep); };
  for (const auto* orbitals : {&molecule.occupied, &molecule.virtuals}) {
    EXPECT_TRUE(std::ranges::is_sorted(*orbitals, {}, tile));
  }
  std::map<unsigned, std::size_t> sizes;
  for (const Orbital& orbital : molecule.virtuals) ++sizes[orbital.irrep];
  EXPECT_GT(sizes[0], 2 * sizes[1]) << "11 to 2 on average";
  EXPECT_GT(sizes[3], sizes[1]) << "7 to 2 on average";
}

TEST(MakeBlockTensor, EntriesObeyTheSelectionRules) {
  const Molecule molecule = make_molecule(4, 2);
  const Entries t = make_block_tensor(molecule, "oovv", Decay::amplitude, cutoff, 1);
  ASSERT_GT(t.nonzeros(), 100U);
  for (std::size_t i = 0; i < t.nonzeros(); ++i) {
    const Index* const at = &t.coordinates[4 * i];
    const Orbital& p = molecule.occupied[at[0]];
    const Orbital& q = molecule.occupied[at[1]];
    const Orbital& r = molecule.virtuals[at[2]];
    const Orbital& s = molecule.virtuals[at[3]];
    ASSERT_EQ(p.spin + q.spin, r.spin + s.spin);
    ASSERT_EQ(p.irrep ^ q.irrep ^ r.irrep ^ s.irrep, 0U);
    ASSERT_NE(t.values[i], 0.0);
    ASSERT_EQ(t.values[i], static_cast<int>(t.values[i]));
    ASSERT_LE(std::abs(t.values[i]), 8);
  }
}

TEST(MakeBlockTensor, PlacesAreUniqueAndInRange) {
  const Entries v = make_block_tensor(make_molecule(3, 2), "ovvo", Decay::coulomb, cutoff, 1);
  EXPECT_EQ(add_up_duplicates(v).nonzeros(), v.nonzeros());
  for (std::size_t i = 0; i < v.coordinates.size(); ++i) ASSERT_LT(v.coordinates[i], v.shape[i % 4]);
}

TEST(MakeBlockTensor, SubtensorsAreUneven) {
  const Entries t = make_block_tensor(make_molecule(6, 1), "oovv", Decay::amplitude, cutoff, 1);
  std::map<std::pair<Index, Index>, double> lengths;
  for (std::size_t i = 0; i < t.nonzeros(); ++i) ++lengths[{t.coordinates[4 * i], t.coordinates[4 * i + 1]}];
  double longest = 0;
  for (const auto& [pair, length] : lengths) longest = std::max(longest, length);
  EXPECT_GT(longest, 2 * static_cast<double>(t.nonzeros()) / static_cast<double>(lengths.size()));
}

TEST(MakeBlockTensor, DependsOnTheSeedAndTheCutoff) {
  const Molecule molecule = make_molecule(3, 5);
  const Entries t = make_block_tensor(molecule, "oovv", Decay::amplitude, cutoff, 1);
  EXPECT_EQ(make_block_tensor(molecule, "oovv", Decay::amplitude, cutoff, 1).coordinates, t.coordinates);
  EXPECT_EQ(make_block_tensor(molecule, "oovv", Decay::amplitude, cutoff, 1).values, t.values);
  EXPECT_NE(make_block_tensor(molecule, "oovv", Decay::amplitude, cutoff, 2).coordinates, t.coordinates);
  EXPECT_LT(make_block_tensor(molecule, "oovv", Decay::amplitude, 3 * cutoff, 1).nonzeros(), t.nonzeros());
}

TEST(PermuteMode, KeepsTheEntriesAndDependsOnTheSeed) {
  const Entries t = make_block_tensor(make_molecule(3, 5), "oovv", Decay::amplitude, cutoff, 1);
  const Entries permuted = permute_mode(t, 0, 7);
  EXPECT_NE(permuted.coordinates, t.coordinates);
  EXPECT_NE(permuted.coordinates, permute_mode(t, 0, 8).coordinates);
  EXPECT_EQ(permuted.values, t.values);
  EXPECT_EQ(add_up_duplicates(permuted).nonzeros(), t.nonzeros());
}

}  // namespace
}  // namespace tensor
