// Can a policy that plans see pages that belong to no object, and send them away?
#include <gtest/gtest.h>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
const char call = 0;

/// Sends all unmanaged pages to slow memory when a phase begins.
class SendsAway final : public Policy {
 public:
  std::string_view name() const override { return "sends-away"; }
  Needs needs(const Topology&) const override { return {.first_touch = {fast, slow}, .unmanaged = true}; }
  Decision on_phase(const PhaseView& phase) override {
    Decision decision;
    for (const PageRange& range : phase.unmanaged) decision.plan.moves.push_back({range.address, range.bytes, slow});
    return decision;
  }
};

class UnmanagedPages : public testing::Test, protected FakeLoop {
 protected:
  UnmanagedPages() : FakeLoop({16, 1000}) { machine.put_unmanaged(heap, 3, fast); }

  void begin_phase(const Needs& wanted) {
    PhaseLoop own{{machine, away, objects, tracker, samples, found, knowledge, recorder, actor},
                  {.needs = wanted, .placing = true, .model = "analytic"}};
    own.attach(lanes);
    const PhaseObject listed_object = listed(make_object("object", 4));
    own.begin(&call, std::span(&listed_object, 1));
    own.forget();
  }

  static constexpr std::uintptr_t heap = 0x5000000;
  SendsAway away;
};

TEST_F(UnmanagedPages, MoveWithAPlan) {
  begin_phase(away.needs(machine.topology()));
  EXPECT_EQ(machine.tier_of(heap), slow);
  EXPECT_EQ(machine.tier_of(heap + 2 * 4096), slow);
}

TEST_F(UnmanagedPages, AreNotLookedForWhereNobodyAsked) {
  begin_phase({.first_touch = {fast, slow}});
  EXPECT_EQ(machine.tier_of(heap), fast);
}

}  // namespace
}  // namespace lbhm
