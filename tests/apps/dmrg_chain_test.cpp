// Does the sweeping find ground states, and does it notice when it has not?
#include "apps/dmrg/chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/dmrg/energy_verification.h"
#include "tests/apps/dmrg_reference.h"

namespace dmrg {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

StepResult sweep(Chain& chain, std::size_t sweeps, std::size_t dimension, const Planner& plan = [](auto) {}) {
  StepResult last{};
  for (std::size_t i = 0; i < sweeps; ++i) {
    for (const Step& step : make_sweep(chain.model().sites(), i == 0, 4, {.max_dimension = dimension})) {
      last = chain.optimise(step, plan);
    }
  }
  return last;
}

class GroundState : public ::testing::TestWithParam<ModelOptions> {};

TEST_P(GroundState, AgreesWithExactDiagonalisation) {
  const ModelOptions& model = GetParam();
  const int sites = static_cast<int>(model.length * model.width);
  Chain chain(make_model(model), 3);
  const StepResult last = sweep(chain, 8, 64);
  EXPECT_NEAR(last.energy, exact_ground_state(model, (sites + 1) / 2, sites / 2), 1e-8);
  EXPECT_THAT(find_fault(chain, model, last.energy, last.discarded), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Models, GroundState,
                         ::testing::Values(ModelOptions{Kind::heisenberg, 3, 1, 0},
                                           ModelOptions{Kind::heisenberg, 9, 1, 0},
                                           ModelOptions{Kind::heisenberg, 10, 1, 0},
                                           ModelOptions{Kind::heisenberg, 4, 2, 0},
                                           ModelOptions{Kind::heisenberg, 3, 3, 0},
                                           ModelOptions{Kind::hubbard, 4, 1, 4}, ModelOptions{Kind::hubbard, 6, 1, 1},
                                           ModelOptions{Kind::hubbard, 2, 2, 8}, ModelOptions{Kind::hubbard, 3, 2, 4}));

TEST(Chain, IsTheSameToTheBitForAnyNumberOfThreads) {
  const Model model = make_model({Kind::hubbard, 6, 1, 4});
  Chain one(model, 1);
  const StepResult expected = sweep(one, 2, 30);
  for (const std::size_t threads : {2, 5, 40}) {
    Chain chain(model, threads);
    const StepResult found = sweep(chain, 2, 30);
    EXPECT_EQ(std::memcmp(&found.energy, &expected.energy, sizeof(double)), 0) << threads;
    EXPECT_EQ(found.dimension, expected.dimension);
  }
}

TEST(Chain, MoreStatesGiveLowerEnergies) {
  const Model model = make_model({Kind::heisenberg, 12, 1, 0});
  double before = 0;
  for (const std::size_t dimension : {2, 4, 8, 16}) {
    Chain chain(model, 2);
    const double energy = sweep(chain, 4, dimension).energy;
    EXPECT_LT(energy, before) << dimension;
    before = energy;
  }
}

TEST(Chain, ObjectsHaveTheSameNamesInTheSameOrderForEveryStep) {
  Chain chain(make_model({Kind::hubbard, 6, 1, 4}), 3);
  std::set<std::vector<std::string>> lists;
  std::set<std::size_t> sizes;
  sweep(chain, 2, 30, [&](std::span<const apps::Block* const> objects) {
    std::vector<std::string> names;
    std::size_t bytes = 0;
    for (const apps::Block* object : objects) {
      names.push_back(object->name());
      bytes += object->bytes();
    }
    lists.insert(names);
    sizes.insert(bytes);
  });
  ASSERT_EQ(lists.size(), 1U);
  EXPECT_EQ(lists.begin()->size(), 2U + 3U * 6U);
  EXPECT_GT(sizes.size(), 4U) << "sizes follow the bonds";
}

TEST(Verification, NoticesWrongEnergiesAndWrongStates) {
  const ModelOptions model{Kind::heisenberg, 8, 1, 0};
  Chain chain(make_model(model), 2);
  const StepResult last = sweep(chain, 4, 16);
  EXPECT_THAT(find_fault(chain, model, last.energy, last.discarded), IsEmpty());
  EXPECT_THAT(find_fault(chain, model, last.energy + 1e-4, last.discarded), HasSubstr("Davidson"));
  EXPECT_THAT(find_fault(chain, {Kind::heisenberg, 4, 1, 0}, last.energy, last.discarded),
              HasSubstr("below the bound"));
  // Site 1 is the centre: the squares of its elements are weights.
  const auto& memory = chain.site(1).memory;
  double& element = *std::ranges::max_element(memory, {}, [](double e) { return std::fabs(e); });
  const double right = element;
  element += 0.01;
  EXPECT_THAT(find_fault(chain, model, last.energy, last.discarded), HasSubstr("not normalised"));
  element = -right;
  EXPECT_THAT(find_fault(chain, model, last.energy, last.discarded), HasSubstr("Davidson")) << "still normalised";
}

TEST(Model, NeedsThreeSites) { EXPECT_THROW(make_model({Kind::hubbard, 2, 1, 4}), apps::InputError); }

}  // namespace
}  // namespace dmrg
