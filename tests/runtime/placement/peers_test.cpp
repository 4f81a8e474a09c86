// memory-optimizer and tpp on a machine whose accesses the test makes: what goes up, what goes down, how fast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x10000000;
constexpr std::uint64_t pages = 1000;
constexpr std::uint64_t in_fast = 250;

std::uintptr_t page_at(std::uint64_t number) { return base + number * 4096; }

/// 1,000 pages, the first 250 of which were touched first.
class PeersTest : public testing::Test {
 protected:
  void SetUp() override {
    machine.put(base, in_fast, fast);
    machine.put(page_at(in_fast), pages - in_fast, slow);
    context.add(base, pages);
    machine.fake_observer();
  }
  void start(const char* name, double pace = 1) { policy = std::move(*make_policy(name, {.pace = pace})); }
  /// So many quanta; in each of them these pages are accessed.
  void run(int quanta, std::uint64_t first, std::uint64_t count) {
    for (int i = 0; i < quanta; ++i) {
      for (std::uint64_t n = first; n < first + count; ++n) machine.fake_observer().access(page_at(n), LaneId(0), now);
      now += Nanoseconds(43'000);
      machine.fake_execution().set_clock(now);
      policy->on_interval(context);
    }
  }
  std::uint64_t fast_pages(std::uint64_t first, std::uint64_t count) {
    std::uint64_t found = 0;
    for (std::uint64_t n = first; n < first + count; ++n) found += machine.tier_of(page_at(n)) == fast;
    return found;
  }

  fake::FakeMachine machine{{in_fast, 4 * pages}};
  FakeContext context{machine};
  std::unique_ptr<Policy> policy;
  Nanoseconds now;
};

TEST_F(PeersTest, BothAskToRunAtIntervalsAndToWatchPages) {
  for (const char* name : {"memory-optimizer", "tpp"}) {
    start(name);
    EXPECT_TRUE(policy->needs(machine.topology()).interval);
    EXPECT_TRUE(policy->needs(machine.topology()).observer);
  }
}

TEST_F(PeersTest, MemoryOptimizerSwapsHotPagesForColdOnes) {
  start("memory-optimizer");
  run(1500, 900, 20);
  EXPECT_GT(fast_pages(900, 20), 10u);
  EXPECT_LE(machine.room(fast).value, 4096u * 10) << "as many went down as went up";
}

TEST_F(PeersTest, MemoryOptimizerLeavesPagesThatAreNotAccessed) {
  start("memory-optimizer");
  run(400, 0, 0);
  EXPECT_EQ(fast_pages(in_fast, pages - in_fast), 0u);
}

TEST_F(PeersTest, MemoryOptimizerMovesAtLeastOncePerPeriodAndMoreOftenAtAQuickerPace) {
  start("memory-optimizer", 100);
  run(200, 900, 20);
  EXPECT_EQ(fast_pages(900, 20), 0u) << "the first period is not over";
  start("memory-optimizer", 1);
  run(200, 900, 20);
  EXPECT_GT(fast_pages(900, 20), 0u);
}

TEST_F(PeersTest, MemoryOptimizerPutsPagesThatCooledBack) {
  start("memory-optimizer");
  run(2000, 900, 20);
  ASSERT_EQ(fast_pages(900, 20), 20u);
  run(3000, 0, 500);
  EXPECT_EQ(fast_pages(900, 20), 0u);
  EXPECT_EQ(fast_pages(0, 500), in_fast);
}

TEST_F(PeersTest, TppKeepsTwoPercentOfFastMemoryFree) {
  start("tpp");
  run(1, 0, 0);
  EXPECT_EQ(machine.room(fast).value, 5u * 4096) << "2 % of 250 pages";
}

TEST_F(PeersTest, TppPromotesAtTheSecondFault) {
  start("tpp");
  run(1, 0, 0);
  for (int i = 0; i < 2000 && !machine.fake_observer().armed(page_at(900)); ++i) run(1, 0, 0);
  ASSERT_TRUE(machine.fake_observer().armed(page_at(900)));
  run(1, 900, 1);
  EXPECT_EQ(machine.tier_of(page_at(900)), slow) << "one fault makes it active only";
  for (int i = 0; i < 2000 && !machine.fake_observer().armed(page_at(900)); ++i) run(1, 0, 0);
  run(1, 900, 1);
  EXPECT_EQ(machine.tier_of(page_at(900)), fast);
}

TEST_F(PeersTest, TppArmsPagesOfSlowMemoryOnlyAndNotFasterThanLinuxScans) {
  start("tpp");
  run(10, 0, 0);
  EXPECT_LE(machine.fake_observer().armed_pages(), 10u * 29) << "2,560 MiB/s are 28.2 pages in 43 us";
  run(200, 0, 0);
  EXPECT_GT(machine.fake_observer().armed_pages(), 700u);
  for (std::uint64_t n = 0; n < pages; ++n) {
    if (machine.tier_of(page_at(n)) == fast) EXPECT_FALSE(machine.fake_observer().armed(page_at(n))) << n;
  }
}

TEST_F(PeersTest, TppDemotesThePagesThatAreNotAccessed) {
  start("tpp");
  run(3000, 0, 100);
  EXPECT_EQ(fast_pages(0, 100), 100u);
  // 100 hot pages in slow memory: they displace the fast pages that nobody accesses, not the hot ones.
  for (int i = 0; i < 3000; ++i) {
    for (std::uint64_t n = 0; n < 100; ++n) machine.fake_observer().access(page_at(n));
    run(1, 600, 100);
  }
  EXPECT_GT(fast_pages(600, 100), 90u);
  EXPECT_GT(fast_pages(0, 100), 90u);
}

/// Fast memory is full of pages that belong to no object; the program's one object lies in slow memory.
class DaemonsSeeUnmanagedPages : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    machine_.put_unmanaged(base, in_fast, fast);
    machine_.put(page_at(in_fast), pages - in_fast, slow);
    context_.add(page_at(in_fast), pages - in_fast);
    machine_.fake_observer();
  }
  /// Pages 900 to 919 are accessed, seen by all means that policies look at.
  void run(Policy& policy, int quanta) {
    for (int i = 0; i < quanta; ++i) {
      for (std::uint64_t n = 900; n < 920; ++n) {
        machine_.fake_observer().access(page_at(n), LaneId(0), now_);
        machine_.fake_samples().add(
            {.address = page_at(n), .lane = LaneId(0), .tier = slow, .latency = Nanoseconds(300), .time = now_});
      }
      machine_.fake_execution().set_clock(now_ += Nanoseconds(43'000));
      policy.on_interval(context_);
    }
  }
  fake::FakeMachine machine_{{in_fast, 4 * pages}};
  FakeContext context_{machine_};
  Nanoseconds now_;
};

TEST_P(DaemonsSeeUnmanagedPages, AndColdOnesMakeRoomForAnObjectsHotPages) {
  const auto policy = std::move(*make_policy(GetParam(), {}));
  run(*policy, 4000);
  std::uint64_t arrived = 0, left = 0;
  for (std::uint64_t n = 900; n < 920; ++n) arrived += machine_.tier_of(page_at(n)) == fast;
  for (std::uint64_t n = 0; n < in_fast; ++n) left += machine_.tier_of(page_at(n)) == slow;
  EXPECT_GT(arrived, 10u);
  EXPECT_GE(left, arrived);
}

INSTANTIATE_TEST_SUITE_P(Peers, DaemonsSeeUnmanagedPages, testing::Values("memory-optimizer", "tpp", "memtis"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace lbhm
