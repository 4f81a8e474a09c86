// The policies memtis and colloid, at their wake-ups on the fake machine.
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

}  // namespace
}  // namespace lbhm
