// Is it seen that all tasks wait for slow memory's bandwidth, and does lbhm then place what anybody accesses?
#include "runtime/placement/gains/crowding.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};

AccessSample waited(double nanoseconds) {
  AccessSample sample;
  sample.tier = slow;
  sample.latency = Nanoseconds(nanoseconds);
  return sample;
}

class CrowdingTest : public testing::Test {
 protected:
  /// So many wake-ups, at which `queue` percent of the waiting is a queue.
  void wake_ups(int count, double queue) {
    const std::vector<AccessSample> samples(10, waited(100 / (1 - queue / 100)));
    for (int i = 0; i < count; ++i) crowding_.wake_up(samples, slow, Nanoseconds(100));
  }
  placement::Crowding crowding_;
};

TEST_F(CrowdingTest, ItBeginsWhereAccessesQueueForLong) {
  wake_ups(50, 14);
  EXPECT_FALSE(crowding_.crowded()) << "latency is the limit";
  wake_ups(1, 40);
  EXPECT_FALSE(crowding_.crowded()) << "a burst";
  wake_ups(30, 25);
  EXPECT_TRUE(crowding_.crowded());
}

TEST_F(CrowdingTest, ItLastsWhileTheRightPagesKeepTheQueueShort) {
  wake_ups(50, 25);
  wake_ups(500, 4);
  EXPECT_TRUE(crowding_.crowded());
  wake_ups(30, 0);
  EXPECT_TRUE(crowding_.crowded()) << "for a short time";
  wake_ups(300, 1);
  EXPECT_FALSE(crowding_.crowded());
}

TEST_F(CrowdingTest, NothingIsKnownWithoutSamples) {
  crowding_.wake_up({}, slow, Nanoseconds(100));
  EXPECT_FALSE(crowding_.crowded());
}

/// An object of 1,000 pages, the first 250 in fast memory. Pages 900 to 919 are accessed, and no sample shows it:
/// samples are of page 500 alone, whose loads wait for so many nanoseconds (200 in an idle memory).
std::uint64_t pages_that_came(double latency, const char* without = "", int quanta = 6000) {
  constexpr std::uintptr_t base = 0x100000, page = 4096;
  fake::FakeMachine machine({250, 4000});
  FakeContext context(machine);
  machine.put(base, 250, fast);
  machine.put(base + 250 * page, 750, slow);
  context.add(base, 1000);
  machine.fake_observer();
  const auto policy = std::move(*make_policy("lbhm", {.pace = 16, .without = without}));
  policy->on_object({.object = {.address = base, .bytes = Bytes(1000 * page), .name = {}}});
  Nanoseconds now;
  for (int quantum = 0; quantum < quanta; ++quantum) {
    for (std::uint64_t n = 900; n < 920; ++n) machine.fake_observer().access(base + n * page, LaneId(0), now);
    machine.fake_samples().add(
        {.address = base + 500 * page, .lane = LaneId(0), .tier = slow, .latency = Nanoseconds(latency), .time = now});
    machine.fake_execution().set_clock(now += Nanoseconds(43'000));
    policy->on_interval(context);
  }
  std::uint64_t came = 0;
  for (std::uint64_t n = 900; n < 920; ++n) came += machine.tier_of(base + n * page) == fast ? 1 : 0;
  return came;
}

TEST(LbhmWhereSlowMemoryIsCrowded, PagesComeThatAnybodyAccesses) {
  EXPECT_GT(pages_that_came(300), 15u);
  EXPECT_EQ(pages_that_came(205), 0u) << "no access queues: what samples show to be hot comes";
  EXPECT_EQ(pages_that_came(300, "congestion"), 0u);
}

TEST(LbhmWhereSlowMemoryIsCrowded, ScansFollowEachOtherAsCloselyAsInMemoryOptimizer) {
  EXPECT_GT(pages_that_came(300, "", 250), 15u);
}

}  // namespace
}  // namespace lbhm
