// Does the policy oracle do what its script says, and say so when the run is another one?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/placement/placement.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bytes page(4096);

/// Object 0: pages 1 and 2 of 4 fast; object 1: none. Before call 2, page 3 of object 0 becomes fast and page 1 slow.
const Topology machine;

PlacementScript script() {
  PlacementScript script;
  script.unmanaged = TierId(1);
  script.objects = {{0, {site_of_name("a"), 0, page * 4}}, {1, {site_of_name("a"), 1, page * 2}}};
  script.births = {{.object = 0, .first = 1, .pages = 2, .tier = TierId(0)}};
  script.moves[2] = {{.object = 0, .first = 1, .pages = 1, .tier = TierId(1)},
                     {.object = 0, .first = 3, .pages = 1, .tier = TierId(0)}};
  return script;
}

std::unique_ptr<Policy> following(PlacementScript script) {
  auto policy = std::move(*make_policy("oracle", {.script = std::move(script)}));
  return policy;
}

TEST(Oracle, PagesAppearWhereTheScriptSays) {
  const auto policy = following(script());
  const MigrationPlan plan =
      policy->on_object({0, site_of_name("a"), 0, {.address = 0x10000, .bytes = page * 4, .name = ""}});
  ASSERT_EQ(plan.moves.size(), 1u);
  EXPECT_EQ(plan.moves[0].address, 0x11000u);
  EXPECT_EQ(plan.moves[0].bytes, page * 2);
  EXPECT_EQ(plan.moves[0].to, TierId(0));
  EXPECT_THAT(policy->on_object({1, site_of_name("a"), 1, {.address = 0x20000, .bytes = page * 2, .name = ""}}).moves,
              IsEmpty());
  EXPECT_THAT(policy->remarks(), IsEmpty());
}

TEST(Oracle, MovesComeBeforeTheirCallInOrder) {
  const auto policy = following(script());
  policy->on_object({0, site_of_name("a"), 0, {.address = 0x10000, .bytes = page * 4, .name = ""}});
  EXPECT_THAT(policy->on_phase({.number = 0, .objects = {}, .machine = machine}).plan.moves, IsEmpty());
  const MigrationPlan plan = policy->on_phase({.number = 2, .objects = {}, .machine = machine}).plan;
  ASSERT_EQ(plan.moves.size(), 2u);
  EXPECT_EQ(plan.moves[0].address, 0x11000u);
  EXPECT_EQ(plan.moves[0].to, TierId(1));
  EXPECT_EQ(plan.moves[1].address, 0x13000u);
  EXPECT_EQ(plan.moves[1].to, TierId(0));
}

TEST(Oracle, UnmanagedPagesAppearWhereTheScriptSaysAndObjectsWithoutABirthInSlowMemory) {
  PlacementScript fast = script();
  fast.unmanaged = TierId(0);
  Topology two;
  two.tiers.resize(2);
  EXPECT_EQ(following(fast)->needs(two).unmanaged_touch.front(), TierId(0));
  EXPECT_EQ(following(script())->needs(two).unmanaged_touch.front(), TierId(1));
  EXPECT_EQ(following(fast)->needs(two).first_touch.front(), TierId(1));
}

/// Region 7 under way, so many barriers of it passed.
class AtABarrier final : public PolicyContext {
 public:
  explicit AtABarrier(fake::FakeMachine& fake) : fake_(fake) {}
  Machine& machine() override { return fake_; }
  std::vector<PlacedObject> objects() override { return {}; }
  std::optional<RunningRegion> running() override { return region; }
  MoveReport migrate(const MigrationPlan& plan) override {
    for (const PageMove& move : plan.moves) moved.push_back(move.address);
    return {};
  }
  std::optional<RunningRegion> region;
  std::vector<std::uintptr_t> moved;

 private:
  fake::FakeMachine& fake_;
};

TEST(Oracle, MovesOfABarrierComeOnceWhenItWasPassed) {
  PlacementScript inner = script();
  inner.inner_moves[{1, {7, 2}}] = {{.object = 0, .first = 1, .pages = 1, .tier = TierId(1)}};
  inner.inner_moves[{1, {7, 4}}] = {{.object = 0, .first = 3, .pages = 1, .tier = TierId(0)}};
  const auto policy = following(inner);
  ASSERT_TRUE(policy->needs(machine).interval);
  EXPECT_TRUE(policy->needs(machine).progress);
  EXPECT_FALSE(following(script())->needs(machine).interval) << "who moves nothing at barriers needs no thread";
  policy->on_object({0, site_of_name("a"), 0, {.address = 0x10000, .bytes = page * 4, .name = ""}});
  fake::FakeMachine fake({8, 8});
  AtABarrier context(fake);
  const auto at = [&](std::uint64_t call, std::optional<RunningRegion> region) {
    if (call != ~0ULL) policy->on_phase({.number = call, .objects = {}, .machine = machine});
    context.region = region;
    context.moved.clear();
    policy->on_interval(context);
    return context.moved;
  };
  constexpr std::uint64_t same = ~0ULL;
  EXPECT_THAT(at(0, RunningRegion{7, 9}), IsEmpty()) << "another call";
  EXPECT_THAT(at(1, std::nullopt), IsEmpty());
  EXPECT_THAT(at(same, RunningRegion{7, 1}), IsEmpty());
  EXPECT_THAT(at(same, RunningRegion{7, 3}), testing::ElementsAre(0x11000u));
  EXPECT_THAT(at(same, RunningRegion{7, 3}), IsEmpty());
  EXPECT_THAT(at(same, RunningRegion{3, 9}), IsEmpty()) << "another region";
  EXPECT_THAT(at(1, RunningRegion{7, 5}), testing::ElementsAre(0x11000u, 0x13000u));
}

TEST(Oracle, AnotherRunIsToldInOneRemarkAndGoesOn) {
  const auto policy = following(script());
  EXPECT_THAT(policy->on_object({0, site_of_name("a"), 0, {.address = 0x10000, .bytes = page * 5, .name = ""}}).moves,
              IsEmpty());
  EXPECT_THAT(policy->on_object({7, site_of_name("a"), 7, {.address = 0x30000, .bytes = page, .name = ""}}).moves,
              IsEmpty());
  EXPECT_THAT(policy->on_phase({.number = 2, .objects = {}, .machine = machine}).plan.moves, IsEmpty());
  ASSERT_EQ(policy->remarks().size(), 1u);
  EXPECT_THAT(policy->remarks()[0], HasSubstr("2 objects of this run are not in LBHM_PLACEMENT"));
  EXPECT_THAT(policy->remarks()[0], HasSubstr("2 of its objects did not appear"));
}

}  // namespace
}  // namespace lbhm
