// The policies memtis, colloid and lbhm (without a plan), at their wake-ups on the fake machine.
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x100000;
constexpr std::uintptr_t page = 4096;

/// 100 pages of fast memory, full but for `free` of them; 100 pages of one object are in slow memory.
class PagesInBothMemories : public testing::Test {
 protected:
  PagesInBothMemories() {
    machine_.put(cold, 90, fast);
    machine_.put(base, 100, slow);
    context_.add(base, 100);
    context_.add(cold, 90);
  }
  void sample(std::uintptr_t address, TierId tier, double latency, int times) {
    for (int i = 0; i < times; ++i) {
      machine_.fake_samples().add(
          {.address = address, .lane = LaneId(0), .tier = tier, .latency = Nanoseconds(latency), .time = now_});
    }
  }
  void wake_up(Policy& policy) {
    machine_.fake_execution().set_clock(now_ += Nanoseconds(1e9));
    policy.on_interval(context_);
  }
  /// For 190 pages counters would be halved every 24 samples: at this pace it is every 240.
  std::unique_ptr<Policy> made(const char* name) { return std::move(*make_policy(name, {.pace = 10})); }

  static constexpr std::uintptr_t cold = base + 200 * page;
  fake::FakeMachine machine_{{100, 200}};
  FakeContext context_{machine_};
  Nanoseconds now_;
};

TEST_F(PagesInBothMemories, MemtisPromotesTheSampledPageAndNoOther) {
  const auto policy = made("memtis");
  wake_up(*policy);
  sample(base + 7 * page, slow, 300, 20);
  wake_up(*policy);
  wake_up(*policy);
  EXPECT_EQ(machine_.tier_of(base + 7 * page), fast);
  EXPECT_EQ(machine_.tier_of(base + 8 * page), slow);
}

TEST_F(PagesInBothMemories, MemtisDemotesColdPagesWhenHotOnesWait) {
  const auto policy = made("memtis");
  wake_up(*policy);
  for (int round = 0; round < 4; ++round) {
    for (std::uintptr_t i = 0; i < 40; ++i) sample(base + i * page, slow, 300, 8);
    wake_up(*policy);
  }
  std::vector<std::uintptr_t> pages;
  for (std::uintptr_t i = 0; i < 40; ++i) pages.push_back(base + i * page);
  std::vector<TierId> tiers(pages.size());
  machine_.where(pages, tiers);
  EXPECT_EQ(std::count(tiers.begin(), tiers.end(), fast), 40);
  EXPECT_GE(machine_.room(fast).value / page, 2u) << "the low watermark, 2 %, stays free";
}

TEST_F(PagesInBothMemories, MemtisDoesNothingBeforeItsTime) {
  const auto policy = made("memtis");
  sample(base, slow, 300, 20);
  policy->on_interval(context_);
  EXPECT_TRUE(machine_.moves().empty());
}

TEST_F(PagesInBothMemories, ColloidPromotesWhileTheFastMemoryAnswersFirst) {
  const auto policy = made("colloid");
  machine_.fake_samples().set_period(AccessCount(127));
  for (int round = 0; round < 4; ++round) {
    for (std::uintptr_t i = 0; i < 40; ++i) sample(base + i * page, slow, 300, 4);
    sample(cold, fast, 80, 40);
    wake_up(*policy);
  }
  EXPECT_EQ(machine_.tier_of(base), fast);
}

TEST_F(PagesInBothMemories, ColloidDemotesHotPagesWhenTheFastMemoryIsOverloaded) {
  const auto policy = made("colloid");
  machine_.fake_samples().set_period(AccessCount(127));
  for (int round = 0; round < 4; ++round) {
    for (std::uintptr_t i = 0; i < 40; ++i) sample(cold + i * page, fast, 600, 4);
    sample(base, slow, 300, 40);
    wake_up(*policy);
  }
  EXPECT_EQ(machine_.tier_of(base), slow) << "nothing comes in";
  EXPECT_GT(machine_.room(fast).value / page, 10u) << "and something has left";
}

TEST_F(PagesInBothMemories, ColloidMovesNothingWhenBothAnswerEquallyFast) {
  const auto policy = made("colloid");
  for (int round = 0; round < 4; ++round) {
    sample(base, slow, 300, 40);
    sample(cold, fast, 300, 40);
    wake_up(*policy);
  }
  EXPECT_TRUE(machine_.moves().empty());
}

/// Pages that come to fast memory although no faster answers are to be had there, when loads from slow memory wait for
/// so long. 100 ns of it are no queue.
class LbhmWhereBothAnswerAlike : public PagesInBothMemories {
 protected:
  bool comes_when_loads_wait_for(double latency) {
    machine_.answer_alike();
    const auto policy = made("lbhm");
    policy->on_object({.object = {.address = base, .bytes = Bytes(100 * page), .name = {}}});
    for (int round = 0; round < 3; ++round) {
      sample(base + 7 * page, slow, latency, 20);
      wake_up(*policy);
    }
    return machine_.tier_of(base + 7 * page) == fast;
  }
};

TEST_F(LbhmWhereBothAnswerAlike, PagesComeWhileAccessesQueue) { EXPECT_TRUE(comes_when_loads_wait_for(150)); }
TEST_F(LbhmWhereBothAnswerAlike, PagesStayWhereNoAccessQueues) { EXPECT_FALSE(comes_when_loads_wait_for(102)); }

/// Fast memory was not full when the policy first looked: what first touch put there later is missed as well.
TEST(LbhmOnTrial, UndoesMovesForWhichPagesOfFirstTouchLeft) {
  constexpr std::uintptr_t early = base + 200 * page, late = early + 10 * page;
  fake::FakeMachine machine{{100, 200}};
  FakeContext context{machine};
  context.add(base, 100);
  context.add(early, 100);
  const auto policy = std::move(*make_policy("lbhm", {.pace = 10}));
  policy->on_object({.object = {.address = base, .bytes = Bytes(100 * page), .name = {}}});
  Nanoseconds now;
  const auto sampled = [&](std::span<const std::uintptr_t> pages, TierId tier) {
    for (const std::uintptr_t address : pages)
      for (int i = 0; i < 40; ++i)
        machine.fake_samples().add({.address = address,
                                    .lane = LaneId(0),
                                    .tier = tier,
                                    .latency = machine.topology().tiers[tier.value].latency_random,
                                    .time = now});
    machine.fake_execution().set_clock(now += Nanoseconds(1e9));
    policy->on_interval(context);
  };
  machine.put(early, 10, fast);
  std::vector<std::uintptr_t> used;
  for (std::uintptr_t address = early; address < late; address += page) used.push_back(address);
  sampled(used, fast);
  machine.put(late, 90, fast);
  machine.put(base, 100, slow);
  sampled(used, fast);
  const std::vector<std::uintptr_t> hot{base + 3 * page, base + 7 * page};
  for (int round = 0; round < 2; ++round) sampled(hot, slow);
  ASSERT_EQ(machine.tier_of(hot[0]), fast);
  std::vector<std::uintptr_t> left;
  for (std::uintptr_t address = late; address < late + 90 * page; address += page)
    if (machine.tier_of(address) == slow) left.push_back(address);
  ASSERT_FALSE(left.empty());
  sampled(left, slow);
  EXPECT_EQ(machine.tier_of(hot[0]), slow);
  EXPECT_EQ(machine.tier_of(left[0]), fast);
}

/// Nothing is planned while all wait for slow memory's bandwidth.
TEST_F(PagesInBothMemories, LbhmJudgesAnewWhatAllWaitForWhenAPhaseBeginsWithNewObjects) {
  const auto policy = made("lbhm");
  machine_.fake_observer();
  const auto objects_at = [](std::uintptr_t address) {
    return std::vector{PlacedObject{.address = address, .bytes = Bytes(50 * page), .name = {}, .site = {}}};
  };
  const auto begin = [&](std::uintptr_t address) {
    const std::vector<PlacedObject> objects = objects_at(address);
    policy->on_phase({.objects = objects, .machine = machine_.topology(), .intervals = true});
  };
  PhaseHistory history;
  history.time = Nanoseconds(1e9);
  history.deciding = Nanoseconds(1);
  policy->on_object({.object = objects_at(base).front()});
  begin(base);
  EXPECT_TRUE(policy->wants_forecast(history));
  const double queueing = 3 * machine_.topology().tiers[slow.value].latency_random.value;
  for (int i = 0; i < 40; ++i) {
    sample(base + 7 * page, slow, queueing, 20);
    wake_up(*policy);
  }
  EXPECT_FALSE(policy->wants_forecast(history));
  begin(base + 50 * page);
  EXPECT_FALSE(policy->wants_forecast(history)) << "objects that are as old: two phases that take turns";
  policy->on_object({.object = objects_at(base).front()});
  begin(base);
  EXPECT_TRUE(policy->wants_forecast(history));
}

}  // namespace
}  // namespace lbhm
