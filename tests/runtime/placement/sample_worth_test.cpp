// What is a sample worth?
#include "runtime/placement/value/sample_worth.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/fake/fake_machine.h"

namespace lbhm::placement {
namespace {

constexpr std::uint64_t block = 256;

/// Slow memory answers after 200 ns, fast memory after 100; it moves blocks of four lines.
class SampleWorthTest : public testing::Test {
 protected:
  SampleWorthTest() {
    topology_ = fake::FakeMachine({100, 100}).topology();
    topology_.tiers[1].granularity = Bytes(block);
  }
  /// The last of many samples, one access each: `bytes` from one to the next, `gap` apart.
  double worth_of_many(AccessSample sample, std::uint64_t bytes, double gap, double price = 1, double busy = 0) {
    SampleWorth worth;
    double last = 0;
    for (int i = 0; i < 10'000; ++i) {
      worth.begin(topology_, Nanoseconds(1), busy);
      sample.address += bytes, sample.time += Nanoseconds(gap);
      last = worth.of(sample, 1, 1, price);
    }
    return last;
  }
  AccessSample load(TierId tier, double latency) const {
    return {.address = 1 << 20, .lane = LaneId(0), .tier = tier, .latency = Nanoseconds(latency), .time = {}};
  }
  /// Of slow memory's time, for a line, over fast memory's.
  double line() const {
    return 64 / topology_.tiers[1].read_bandwidth.value - 64 / topology_.tiers[0].read_bandwidth.value;
  }

  Topology topology_;
};

TEST_F(SampleWorthTest, ALoadThatItsLaneWaitsForIsWorthWhatItWouldWaitLess) {
  EXPECT_NEAR(worth_of_many(load(TierId(1), 200), 4096, 200), 100, 1);
  EXPECT_NEAR(worth_of_many(load(TierId(1), 200), 4096, 200, 0.25), 25, 0.25) << "at the price of its lane's time";
}

TEST_F(SampleWorthTest, APageIsWorthAsMuchInATierBetween) {
  Tier between = topology_.tiers[1];
  between.latency_random = Nanoseconds(150);
  topology_.tiers.insert(topology_.tiers.begin() + 1, between);
  EXPECT_NEAR(worth_of_many(load(TierId(1), 150), 4096, 150), 100, 1);
  EXPECT_NEAR(worth_of_many(load(TierId(2), 200), 4096, 200), 100, 1);
}

TEST_F(SampleWorthTest, SamplesSayHowBusyMemoryIsWhereTheMachineDoesNot) {
  SampleWorth worth;
  AccessSample store = load(TierId(1), 0);
  store.write = true;
  const double full = 64 / topology_.tiers[1].read_bandwidth.value * 4 * 2;  // for a block that is read and written
  const auto use_for = [&](int intervals, double accesses) {
    double last = 0;
    for (int i = 0; i < intervals; ++i) {
      worth.begin(topology_, Nanoseconds(2 * full), std::nullopt);
      if (accesses > 0) store.address += 4096, store.time += Nanoseconds(2 * full);
      if (accesses > 0) last = worth.of(store, accesses, 1, 1);
    }
    return last;
  };
  EXPECT_NEAR(use_for(100, 1), 0.25 * 8 * line(), 0.1 * line()) << "busy half of the time";
  worth.begin(topology_, Nanoseconds(20 * full), std::nullopt);
  EXPECT_NEAR(worth.of(store, 1, 1, 1), 0.25 * 8 * line(), 0.1 * line()) << "a longer one asked in its own time";
  use_for(100, 0);
  EXPECT_NEAR(use_for(1, 1), 0, 0.01 * line()) << "it rests again";
}

TEST_F(SampleWorthTest, WhereALatencyIsNotKnownNobodyWaits) {
  for (std::size_t tier = 0; tier < 2; ++tier) {
    const Nanoseconds known = std::exchange(topology_.tiers[tier].latency_random, Nanoseconds(0));
    EXPECT_EQ(worth_of_many(load(TierId(1), 200), 4096, 200), 0);
    topology_.tiers[tier].latency_random = known;
  }
}

TEST_F(SampleWorthTest, LoadsSideBySideShareTheirWait) {
  EXPECT_NEAR(worth_of_many(load(TierId(1), 200), 4096, 50), 25, 1);
}

TEST_F(SampleWorthTest, APageIsWorthAsMuchInFastMemory) {
  EXPECT_NEAR(worth_of_many(load(TierId(0), 100), 4096, 100), 100, 1);
}

TEST_F(SampleWorthTest, TheQueueIsNoWaitOfThePageItself) {
  EXPECT_NEAR(worth_of_many(load(TierId(1), 600), 4096, 600), 100, 5);
}

TEST_F(SampleWorthTest, StoresAndWhatWasPrefetchedWaitForNothing) {
  AccessSample store = load(TierId(1), 0);
  store.write = true;
  EXPECT_EQ(worth_of_many(store, 4096, 200), 0);
  EXPECT_EQ(worth_of_many(load(TierId(1), 5), 4096, 200), 0);
}

TEST_F(SampleWorthTest, WhereSlowMemoryIsBusyLinesAreWorthItsTime) {
  const AccessSample prefetched = load(TierId(1), 5);
  EXPECT_NEAR(worth_of_many(prefetched, 64, 50, 1, 1), line(), line() / 50) << "a stream takes a line";
  EXPECT_NEAR(worth_of_many(prefetched, 4096, 50, 1, 1), 4 * line(), line() / 10) << "others a block";
  EXPECT_NEAR(worth_of_many(prefetched, 64, 50, 1, 0.5), line() / 4, line() / 50) << "the less the less it is busy";
  AccessSample store = prefetched;
  store.write = true;
  EXPECT_NEAR(worth_of_many(store, 64, 50, 1, 1), 2 * line(), line() / 10) << "a line is read and written";
}

TEST_F(SampleWorthTest, ASampleIsWorthTheAccessesThatItStandsFor) {
  SampleWorth once, often;
  once.begin(topology_, Nanoseconds(1), 1), often.begin(topology_, Nanoseconds(1), 1);
  const AccessSample sample = load(TierId(1), 5);
  EXPECT_DOUBLE_EQ(often.of(sample, 1000, 1, 1), 1000 * once.of(sample, 1, 1, 1));
}

}  // namespace
}  // namespace lbhm::placement
