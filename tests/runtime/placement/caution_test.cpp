// Do moves without a plan wait while one is near, and do they begin with few pages?
#include "runtime/placement/caution.h"

#include <gtest/gtest.h>

#include <vector>

namespace lbhm::placement {
namespace {

constexpr double quarter = 0.25;
constexpr std::uint64_t capacity = 1600;

/// A wake-up's samples, of which so many were served by fast memory.
std::vector<AccessSample> samples(std::size_t fast, std::size_t all = 100) {
  std::vector<AccessSample> seen(all);
  for (std::size_t i = 0; i < all; ++i) seen[i].tier = TierId(i < fast ? 0 : 1);
  return seen;
}

/// Wake-ups that wait, of 200.
int waits(Caution& caution, std::size_t fast) {
  int count = 0;
  for (int i = 0; i < 200; ++i) count += caution.waits(samples(fast), quarter) ? 1 : 0;
  return count;
}

TEST(Caution, WaitsWhileAPlanIsNearButNotForEver) {
  Caution caution;
  EXPECT_EQ(waits(caution, 30), 0) << "no phase has begun";
  caution.phase_begins(true);
  EXPECT_EQ(waits(caution, 30), Caution::patience - 1);
  EXPECT_EQ(waits(caution, 30), 0);
  caution.planned();
  EXPECT_EQ(waits(caution, 30), Caution::patience - 1) << "the next one is near again";
  caution.planned();
  caution.phase_begins(false);
  EXPECT_EQ(waits(caution, 30), 0);
}

TEST(Caution, DoesNotWaitWhereFastMemoryServesFarLessThanItsPart) {
  Caution caution;
  caution.phase_begins(true);
  EXPECT_EQ(waits(caution, 18), 0);
}

/// Pages came, or left, of which so many samples were seen since.
GainWatch moved(bool came, std::size_t seen) {
  GainWatch watch;
  watch.start({});
  MigrationPlan plan;
  plan.moves.push_back({.address = 0, .bytes = Bytes(4096), .to = TierId(came ? 0 : 1)});
  if (!came) watch.start({0});
  watch.moving(plan, Bytes(4096));
  watch.judge(std::vector<AccessSample>(seen), capacity, Bytes(4096));
  return watch;
}

TEST(Caution, ExchangesMoreAsLongAsThatBringsSomethingAndLessWhereItDoesHarm) {
  Caution caution;
  EXPECT_EQ(caution.most_pages(GainWatch(), capacity), 100u);
  EXPECT_EQ(caution.most_pages(moved(true, 100), capacity), 200u);
  EXPECT_EQ(caution.most_pages(moved(true, 3), capacity), 200u) << "three samples may be chance";
  for (int i = 0; i < 10; ++i) caution.most_pages(moved(true, 100), capacity);
  EXPECT_EQ(caution.most_pages(GainWatch(), capacity), capacity);
  EXPECT_EQ(caution.most_pages(moved(false, 100), capacity), capacity / 2);
  for (int i = 0; i < 10; ++i) caution.most_pages(moved(false, 100), capacity);
  EXPECT_EQ(caution.most_pages(GainWatch(), capacity), 25u);
  EXPECT_EQ(caution.most_pages(GainWatch(), 3), 1u) << "never none at all";
}

}  // namespace
}  // namespace lbhm::placement
