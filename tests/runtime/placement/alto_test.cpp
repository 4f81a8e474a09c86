// Policy alto: how many of the promotions that tpp would make are made, by how much the program's loads overlap.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x10000000;
constexpr std::uint64_t pages = 1000, in_fast = 500;

std::uintptr_t page_at(std::uint64_t number) { return base + number * 4096; }

/// 1,000 pages, all in slow memory; 400 of them are accessed all the time.
class AltoTest : public testing::Test {
 protected:
  void SetUp() override {
    machine.put(base, pages, slow);
    context.add(base, pages);
    machine.fake_observer();
  }
  /// Pages in fast memory after so many quanta, in which loads take 300 cycles and this many are under way at a time.
  std::uint64_t promoted(const char* name, double parallelism, int quanta, double latency = 300) {
    const auto policy = std::move(*make_policy(name));
    for (int i = 0; i < quanta; ++i) {
      for (std::uint64_t n = 0; n < 400; ++n) machine.fake_observer().access(page_at(n), LaneId(0), now);
      events.l3_load_misses += 1000;
      events.load_occupancy += 1000 * latency;
      events.load_cycles += 1000 * latency / parallelism;
      machine.set_all_events(events);
      machine.fake_execution().set_clock(now += Nanoseconds(43'000));
      policy->on_interval(context);
    }
    std::uint64_t found = 0;
    for (std::uint64_t n = 0; n < pages; ++n) found += machine.tier_of(page_at(n)) == fast;
    return found;
  }

  fake::FakeMachine machine{{in_fast, 4 * pages}};
  FakeContext context{machine};
  EventCounts events;
  Nanoseconds now;
};

constexpr int two_passes = 100;  // until 400 pages have faulted twice, at 28 pages a quantum

TEST_F(AltoTest, LoadsThatDoNotOverlapLetAllPagesCome) { EXPECT_EQ(promoted("alto", 1, two_passes), 400u); }

TEST_F(AltoTest, LoadsThatOverlapWellLetNoneCome) {
  EXPECT_EQ(promoted("alto", 10, two_passes), 0u) << "30 cycles a load";
}

TEST_F(AltoTest, BetweenThemAShareOfThePromotionsIsMade) {
  const std::uint64_t some = promoted("alto", 300.0 / 70, 75);
  EXPECT_GE(some, 100u) << "three of ten at 70 cycles a load, and those that may not come ask again";
  EXPECT_LE(some, 250u);
}

TEST_F(AltoTest, LoadsOfMostlyCachesChangeNothing) { EXPECT_EQ(promoted("alto", 10, two_passes, 90), 400u); }

TEST_F(AltoTest, WithoutCountersItIsTpp) {
  events.load_cycles = -1e18;
  EXPECT_EQ(promoted("alto", 10, two_passes), 400u);
}

TEST_F(AltoTest, TppItselfDoesNotCare) { EXPECT_EQ(promoted("tpp", 10, two_passes), 400u); }

}  // namespace
}  // namespace lbhm
