// Do moves without a plan wait while one is near, and do they begin with few pages?
#include "runtime/placement/gains/caution.h"

#include <gtest/gtest.h>

#include <vector>

namespace lbhm::placement {
namespace {

constexpr Bytes page{4096};
constexpr std::uint64_t capacity = 1600;
constexpr Bytes fast_memory = capacity * page, footprint = 4 * fast_memory;
using Near = Caution::Near;

/// Samples of a task that goes through pages, and comes back after so many. The first ones of each wake-up are served
/// by fast memory.
class Task {
 public:
  explicit Task(std::uint64_t pages) : pages_(pages) {}
  std::vector<AccessSample> samples(std::size_t fast, std::size_t all = 100) {
    std::vector<AccessSample> seen(all);
    for (std::size_t i = 0; i < all; ++i) {
      seen[i].tier = TierId(i < fast ? 0 : 1);
      seen[i].address = next_++ % pages_ * page.value;
    }
    return seen;
  }

 private:
  std::uint64_t pages_, next_ = 0;
};

/// Wake-ups that wait, of 200.
int waits(Caution& caution, std::size_t fast, Task task = Task(1'000'000)) {
  int count = 0;
  for (int i = 0; i < 200; ++i) count += caution.waits(task.samples(fast), fast_memory, footprint, page) ? 1 : 0;
  return count;
}

TEST(Caution, WaitsWhileAPlanIsNearButNotForEver) {
  Caution caution;
  EXPECT_EQ(waits(caution, 30), 0) << "no phase has begun";
  caution.phase_begins(Near::now);
  EXPECT_EQ(waits(caution, 30), Caution::patience - 1);
  EXPECT_EQ(waits(caution, 30), 0);
  caution.planned();
  EXPECT_EQ(waits(caution, 30), Caution::patience - 1) << "the next one is near again";
  caution.planned();
  caution.phase_begins(Near::no);
  EXPECT_EQ(waits(caution, 30), 0);
}

TEST(Caution, DoesNotWaitWhereFastMemoryServesFarLessThanItsPart) {
  Caution caution;
  caution.phase_begins(Near::now);
  EXPECT_EQ(waits(caution, 18), 0);
}

TEST(Caution, DoesNotWaitInABaseInstanceWhoseTasksComeBackToTheirPages) {
  Caution caution;
  caution.phase_begins(Near::next);
  EXPECT_EQ(waits(caution, 30), Caution::patience - 1) << "they stream";
  caution.planned();
  caution.phase_begins(Near::next);
  EXPECT_EQ(waits(caution, 30, Task(400)), 8) << "four see all pages for the first time";
  caution.planned();
  caution.phase_begins(Near::next);
  EXPECT_EQ(waits(caution, 90, Task(400)), Caution::patience - 1) << "most of them are served already";
  caution.planned();
  caution.phase_begins(Near::now);
  EXPECT_EQ(waits(caution, 30, Task(400)), Caution::patience - 1) << "the plan knows better";
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
