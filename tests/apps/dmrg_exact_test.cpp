// Are the energies that results are checked against right? By exact diagonalisation and published values.
#include "apps/dmrg/energy_verification.h"

#include <gtest/gtest.h>

#include "tests/apps/dmrg_reference.h"

namespace dmrg {
namespace {

TEST(HeisenbergChain, AgreesWithExactDiagonalisation) {
  for (const std::size_t sites : {4, 6, 8, 10}) {
    const int half = static_cast<int>(sites) / 2;
    const double expected = exact_ground_state({Kind::heisenberg, sites, 1, 0}, half, half);
    EXPECT_NEAR(heisenberg_chain(sites), expected, 1e-12) << sites;
  }
}

TEST(HeisenbergChain, HasTheEnergyOf20SitesThatDmrgPapersQuote) {
  EXPECT_NEAR(heisenberg_chain(20), -8.682473334398, 1e-11);
}

TEST(HubbardChain, AgreesWithExactDiagonalisation) {
  for (const double interaction : {0.5, 4.0, 20.0}) {
    for (const std::size_t sites : {4, 6}) {
      const int half = static_cast<int>(sites) / 2;
      const double expected = exact_ground_state({Kind::hubbard, sites, 1, interaction}, half, half);
      const auto found = hubbard_chain(sites, interaction);
      ASSERT_TRUE(found) << sites << ' ' << interaction;
      EXPECT_NEAR(*found, expected, 1e-11) << sites << ' ' << interaction;
    }
  }
}

TEST(FreeElectrons, AgreeWithExactDiagonalisation) {
  for (const ModelOptions& model : {ModelOptions{Kind::hubbard, 5, 1, 0}, ModelOptions{Kind::hubbard, 3, 2, 0}}) {
    const int sites = static_cast<int>(model.length * model.width);
    EXPECT_NEAR(free_electrons(model), exact_ground_state(model, (sites + 1) / 2, sites / 2), 1e-12) << sites;
  }
}

TEST(KnownEnergy, IsABoundWhereItIsNotExact) {
  for (const ModelOptions& model : {ModelOptions{Kind::heisenberg, 4, 2, 0}, ModelOptions{Kind::heisenberg, 5, 1, 0},
                                    ModelOptions{Kind::hubbard, 3, 2, 4}, ModelOptions{Kind::hubbard, 5, 1, 4}}) {
    const int sites = static_cast<int>(model.length * model.width);
    const Known known = known_energy(model);
    EXPECT_FALSE(known.exact);
    EXPECT_LT(known.lower_bound, exact_ground_state(model, (sites + 1) / 2, sites / 2));
  }
}

}  // namespace
}  // namespace dmrg
