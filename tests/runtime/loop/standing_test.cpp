// A decision that stands: is each region held against its own prediction whatever regions come to a phase?
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

/// Moves nothing, and never changes its mind.
class Contented final : public Policy {
 public:
  std::string_view name() const override { return "contented"; }
  Needs needs(const Topology&) const override { return {.first_touch = {TierId(1), TierId(0)}, .forecast = true}; }
  Decision on_phase(const PhaseView& phase) override {
    Decision decision;
    if (!phase.forecast) return decision;
    for (const TaskForecast& task : phase.forecast->tasks)
      decision.budget.tasks.emplace_back().predicted = task.times.slow_only;
    return decision;
  }
  bool stands(const PhaseView&) override { return true; }
};

class StandingDecision : public testing::Test, protected FakeLoop {
 protected:
  StandingDecision() : FakeLoop(std::make_unique<Contented>(), {16, 1000}) {}
  void begin() { loop.begin(&phase, std::vector{listed(used)}); }
  void run_short() { run_region(&short_one, used, 10, Nanoseconds(1e5)); }
  void run_long() { run_region(&long_one, used, 100, Nanoseconds(1e6)); }

  const char phase = 0, other_phase = 0, short_one = 0, long_one = 0;
  std::uintptr_t used = make_object("used", 16);
};

TEST_F(StandingDecision, ARegionThatComesLaterGetsNoPredictionOfAnotherOne) {
  loop.begin(&other_phase, std::vector{listed(used)});
  run_short();  // it has the lower number
  for (int instance = 0; instance < 2; ++instance) begin(), run_long();
  for (int instance = 0; instance < 2; ++instance) begin(), run_short(), run_long();
  loop.close();
  const auto regions = nlohmann::json::parse(loop.report({}))["regions"];
  ASSERT_EQ(regions.size(), 7u);
  EXPECT_NEAR(regions[2]["tasks"][0]["predicted_ns"].get<double>(), 1e6, 1e5) << "the decision that stands";
  EXPECT_NEAR(regions[5]["tasks"][0]["predicted_ns"].get<double>(), 1e5, 1e4) << "the short one";
  EXPECT_NEAR(regions[6]["tasks"][0]["predicted_ns"].get<double>(), 1e6, 1e5) << "the long one";
}

}  // namespace
}  // namespace lbhm
