// The policies hybridtier and pact, which count sampled loads by page, on the fake machine: what comes, what leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x10000000;

std::uintptr_t page_at(std::uint64_t number) { return base + number * 4096; }

/// The pages of one object, the first ones in fast memory, which is full.
class SampledPeers : public testing::Test {
 protected:
  SampledPeers(const char* name, std::uint64_t pages, std::uint64_t in_fast)
      : machine_({in_fast, 4 * pages}), policy_(std::move(*make_policy(name))) {
    machine_.put(base, in_fast, fast);
    machine_.put(page_at(in_fast), pages - in_fast, slow);
    context_.add(base, pages);
    machine_.fake_observer();
    machine_.fake_samples().set_period(AccessCount(127));
  }
  /// Each of these pages is loaded and sampled so often, then the policy has its turn.
  void sample(std::uint64_t first, std::uint64_t count, int times = 1) {
    for (std::uint64_t n = first; n < first + count; ++n) {
      for (int i = 0; i < times; ++i)
        machine_.fake_samples().add({.address = page_at(n) + 64,
                                     .lane = LaneId(0),
                                     .tier = machine_.tier_of(page_at(n)),
                                     .latency = Nanoseconds(200),
                                     .time = now_});
      machine_.fake_observer().access(page_at(n), LaneId(0), now_);
    }
  }
  void turn() {
    machine_.fake_execution().set_clock(now_ += Nanoseconds(1e6));
    policy_->on_interval(context_);
  }
  std::uint64_t fast_pages(std::uint64_t first, std::uint64_t count) {
    std::uint64_t found = 0;
    for (std::uint64_t n = first; n < first + count; ++n) found += machine_.tier_of(page_at(n)) == fast;
    return found;
  }
  std::uint64_t free_pages() { return machine_.room(fast).value / 4096; }

  fake::FakeMachine machine_;
  FakeContext context_{machine_};
  std::unique_ptr<Policy> policy_;
  Nanoseconds now_;
};

/// For 20,000 pages a batch is 95 samples, momentum is halved about every 500, and a second chance lasts 57 ms.
class HybridTierTest : public SampledPeers {
 protected:
  static constexpr std::uint64_t in_fast = 8000;
  HybridTierTest() : SampledPeers("hybridtier", 20'000, in_fast) {}
};

TEST_F(HybridTierTest, ThreeSamplesInAShortTimeBringAPageUpTwoDoNot) {
  sample(100, 100);
  turn();
  ASSERT_EQ(free_pages(), 400u) << "5 % of fast memory were made free";
  sample(9000, 5, 3);
  sample(10'000, 45, 2);
  turn();
  EXPECT_EQ(fast_pages(9000, 5), 5u);
  EXPECT_EQ(fast_pages(10'000, 45), 0u);
}

TEST_F(HybridTierTest, PagesThatAreSampledNowAndThenComeByTheirFrequency) {
  sample(100, 100);
  turn();
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(fast_pages(9000, 5), 0u) << round;
    sample(9000, 5);
    sample(100, 60, 20);  // until then momentum is halved, to nothing
    turn();
  }
  sample(100, 60, 20);  // the last batch was not complete
  turn();
  EXPECT_EQ(fast_pages(9000, 5), 5u);
}

TEST_F(HybridTierTest, WhatHasMomentumStaysAndWhatHasNotMakesRoom) {
  for (int round = 0; round < 20; ++round) {
    sample(0, 50, 2);
    sample(9000, 100, 2);
    turn();
  }
  EXPECT_EQ(fast_pages(0, 50), 50u);
  EXPECT_EQ(fast_pages(9000, 100), 100u);
  EXPECT_EQ(fast_pages(50, in_fast - 50) + free_pages(), in_fast - 150);
}

TEST_F(HybridTierTest, WhatWasHotOnceGetsASecondChanceAndThenGoes) {
  for (int round = 0; round < 3; ++round) {
    sample(0, in_fast, 5);
    turn();
  }
  const auto run = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      sample(9000, 100, 4);
      turn();
    }
  };
  run(40);
  EXPECT_EQ(fast_pages(0, in_fast), in_fast) << "its second chance is not over";
  run(160);
  EXPECT_LT(fast_pages(0, in_fast), in_fast);
  EXPECT_GT(fast_pages(9000, 100), 0u);
}

TEST_F(HybridTierTest, ItWaitsForAWholeBatchAndCountsLoadsAlone) {
  sample(9000, 5, 5);
  for (int i = 0; i < 100; ++i)
    machine_.fake_samples().add(
        {.address = page_at(9001), .lane = LaneId(0), .tier = slow, .write = true, .latency = {}, .time = now_});
  turn();
  EXPECT_TRUE(machine_.moves().empty());
}

class PactTest : public SampledPeers {
 protected:
  static constexpr std::uint64_t in_fast = 250;
  PactTest() : SampledPeers("pact", 1000, in_fast) {}
  /// Many pages have a few samples, ten pages have many, in loads of which so many are under way at a time.
  void run(int rounds, double parallelism, std::uint64_t critical) {
    EventCounts events;
    for (int round = 0; round < rounds; ++round) {
      sample(in_fast, 700);
      sample(critical, 10, 100);
      events.load_cycles = 1e6 * (round + 1);
      events.load_occupancy = events.load_cycles * parallelism;
      machine_.set_all_events(events);
      turn();
    }
  }
};

TEST_F(PactTest, ThePagesThatStallTheProgramMostComeFirst) {
  run(1, 100, 980);
  EXPECT_EQ(fast_pages(980, 10), 10u);
  EXPECT_EQ(fast_pages(in_fast, 700), 0u);
}

TEST_F(PactTest, LoadsThatNobodyOverlapsAreWorthMore) {
  sample(900, 1, 1);
  EventCounts events;
  events.load_cycles = 1e6, events.load_occupancy = 100e6;
  machine_.set_all_events(events);
  turn();
  EXPECT_EQ(fast_pages(900, 1), 0u);
  sample(901, 1, 1);
  events.load_cycles += 1e6, events.load_occupancy += 1e6;
  machine_.set_all_events(events);
  turn();
  EXPECT_EQ(fast_pages(901, 1), 1u);
}

TEST_F(PactTest, AsManyPagesLeaveAsComeAndTheUsedOnesStay) {
  for (int round = 0; round < 10; ++round) {
    sample(0, 50);  // loads of fast memory, accessed bits
    sample(900, 10, 20);
    turn();
  }
  EXPECT_EQ(fast_pages(900, 10), 10u);
  EXPECT_EQ(fast_pages(0, 50), 50u);
  EXPECT_EQ(fast_pages(50, 200), 190u);
}

TEST_F(PactTest, NothingMovesWithoutSamplesOfSlowMemory) {
  for (int round = 0; round < 10; ++round) {
    sample(0, in_fast, 10);
    turn();
  }
  EXPECT_TRUE(machine_.moves().empty());
}

}  // namespace
}  // namespace lbhm
