// Does the tracker know where every page is, and ask for no more than what may have changed?
#include "runtime/pages/page_tracker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr Bytes page(4096);
constexpr std::uintptr_t base = 0x10000000;

/// Objects of 64 pages, `gap` pages apart, each page in slow memory.
struct Memory {
  fake::FakeMachine machine{{100, 100000}};
  ObjectRegistry objects;
  PageTracker tracker{machine};

  std::uintptr_t add(std::uint64_t number, TierId tier = TierId(1), std::uint64_t pages = 64) {
    Object object;
    object.address = base + number * 100 * page.value;
    object.bytes = page * pages;
    EXPECT_TRUE(objects.add(object));
    if (tier == no_tier)
      machine.map(object.address, pages);
    else
      machine.put(object.address, pages, tier);
    return object.address;
  }

  void move(std::uintptr_t address, std::uint64_t pages, TierId to) {
    std::vector<std::uintptr_t> list;
    for (std::uint64_t i = 0; i < pages; ++i) list.push_back(address + i * page.value);
    std::vector<PageStatus> status(pages);
    machine.move(list, to, status);
    tracker.moved(list);
  }
};

/// What every page's own answer adds up to.
void expect_truth(Memory& memory) {
  const PagePlacement& placement = memory.tracker.placement(memory.objects);
  std::vector<std::vector<PageRange>> tiers(3);  // the last: untouched
  for (const Object& object : memory.objects.all()) {
    for (std::uintptr_t at = object.address; at < object.address + object.bytes.value; at += page.value) {
      const TierId tier = memory.machine.tier_of(at);
      std::vector<PageRange>& ranges = tiers[tier == no_tier ? 2 : tier.value];
      if (!ranges.empty() && ranges.back().address + ranges.back().bytes.value == at)
        ranges.back().bytes += page;
      else
        ranges.push_back({at, page});
    }
  }
  const auto same = [](std::span<const PageRange> a, std::span<const PageRange> b) {
    return std::ranges::equal(
        a, b, [](const PageRange& x, const PageRange& y) { return x.address == y.address && x.bytes == y.bytes; });
  };
  EXPECT_TRUE(same(placement.in(TierId(0)), tiers[0]));
  EXPECT_TRUE(same(placement.in(TierId(1)), tiers[1]));
  EXPECT_TRUE(same(placement.untouched, tiers[2]));
}

/// The tracker's answer for `count` pages, held against the machine's own.
void expect_where(Memory& memory, std::uintptr_t address, std::uint64_t count) {
  std::vector<std::uintptr_t> pages;
  for (std::uint64_t i = 0; i < count; ++i) pages.push_back(address + i * page.value);
  std::vector<TierId> tiers(count), truth;
  memory.tracker.where(memory.objects, pages, tiers);
  for (const std::uintptr_t at : pages) truth.push_back(memory.machine.tier_of(at));
  EXPECT_EQ(tiers, truth);
}

/// More moves than are remembered, of pages that are never neighbours.
void move_too_often(Memory& memory, std::uintptr_t object) {
  for (std::size_t i = 0; i <= PageTracker::most_moved; ++i)
    memory.move(object + i % 2 * 2 * page.value, 1, TierId(i % 3 ? 0 : 1));
}

TEST(PageTracker, SeesFirstTouchMovesAndObjectsThatComeAndGo) {
  Memory memory;
  const std::uintptr_t first = memory.add(0), second = memory.add(1, no_tier), third = memory.add(2);
  expect_truth(memory);
  memory.machine.touch(second, 10);
  memory.move(first + 5 * page.value, 7, TierId(0));
  expect_truth(memory);
  memory.objects.remove(third);
  memory.machine.unmap(third, 64);
  memory.add(3);
  expect_truth(memory);
  memory.move(third, 3, TierId(0));  // of no object
  memory.move(first + 8 * page.value, 60, TierId(1));
  expect_truth(memory);
  memory.objects.remove(first);
  memory.machine.unmap(first, 64);
  memory.add(0, TierId(0), 8);  // another object at its place
  expect_truth(memory);
}

TEST(PageTracker, SeesMovesThatGoOnFromOneObjectToTheNext) {
  Memory memory;
  const std::uintptr_t first = memory.add(0, TierId(1), 100), second = memory.add(1, TierId(1), 100);
  memory.add(2, TierId(1), 10);
  expect_truth(memory);
  memory.move(second - page.value, 2, TierId(0));
  expect_truth(memory);
  memory.move(first, 205, TierId(0));
  memory.move(second - 5 * page.value, 10, TierId(1));  // once more before anybody asks
  expect_truth(memory);
}

TEST(PageTracker, SeesMovesThatBeginInFrontOfAnObject) {
  Memory memory;
  const std::uintptr_t object = memory.add(1);
  memory.machine.put(object - page.value, 1, TierId(1));  // managed by nobody
  memory.machine.put(object + 64 * page.value, 1, TierId(1));
  const std::uintptr_t next = memory.add(2);
  memory.machine.put(next - page.value, 1, TierId(1));
  expect_truth(memory);
  memory.move(object - page.value, 66, TierId(0));
  memory.move(next - page.value, 2, TierId(0));
  expect_truth(memory);
}

TEST(PageTracker, AgreesWithEveryPageInRandomRuns) {
  std::mt19937 random(7);
  Memory memory;
  std::vector<bool> there(20);
  for (int step = 0; step < 300; ++step) {
    const std::uint64_t number = random() % there.size();
    const std::uintptr_t address = base + number * 100 * page.value;
    const std::uint64_t at = 16 * (random() % 4), pages = 16 * (1 + random() % (4 - at / 16));
    if (!there[number]) {
      memory.add(number, random() % 2 ? no_tier : TierId(1));
      there[number] = true;
    } else if (random() % 8 == 0) {
      memory.objects.remove(address);
      memory.machine.unmap(address, 64);
      there[number] = false;
    } else if (random() % 2) {
      memory.machine.touch(address + at * page.value, pages);
    } else {
      memory.move(address + at * page.value, pages, TierId(random() % 2));
    }
    if (step % 3 == 0) expect_truth(memory);
    if (step % 7 == 0) expect_where(memory, address, 64);
  }
}

TEST(PageTracker, AsksOnlyForWhatMayHaveChanged) {
  Memory memory;
  for (std::uint64_t number = 0; number < 100; ++number) memory.add(number);
  memory.tracker.placement(memory.objects);
  EXPECT_EQ(memory.tracker.asked(), 500u) << "of 64 pages the first, the last, and three between";
  memory.tracker.placement(memory.objects);
  EXPECT_EQ(memory.tracker.asked(), 500u);
  memory.move(base, 3, TierId(0));
  memory.tracker.placement(memory.objects);
  EXPECT_EQ(memory.tracker.asked(), 503u);
  EXPECT_EQ(memory.tracker.rooms()[0], page * 100);
}

TEST(PageTracker, FindsTheBorderBetweenTwoTiersWithFewQuestions) {
  Memory memory;
  const std::uintptr_t object = memory.add(0, no_tier, 6400);
  memory.machine.touch(object, 6400);  // 100 pages of fast memory, then slow memory
  expect_truth(memory);
  EXPECT_LT(memory.tracker.asked(), 6400u / 16 + 10);
}

TEST(PageTracker, ForgetsMovesThatNobodyAsksForAndIsRightAllTheSame) {
  Memory memory;
  const std::uintptr_t object = memory.add(0);
  expect_truth(memory);
  move_too_often(memory, object);
  const std::uint64_t before = memory.tracker.asked();
  expect_truth(memory);
  EXPECT_GT(memory.tracker.asked(), before + 4) << "the whole object";
  const std::uint64_t after = memory.tracker.asked();
  memory.move(object, 1, TierId(1));
  expect_truth(memory);
  EXPECT_EQ(memory.tracker.asked(), after + 1) << "again only what was moved";
}

TEST(PageTracker, IsAskedForSinglePagesAndAsksForThoseThatItDoesNotKnow) {
  Memory memory;
  const std::uintptr_t object = memory.add(0, no_tier);
  memory.machine.put(object + 100 * page.value, 3, TierId(0));  // managed by nobody
  expect_where(memory, object, 64);
  memory.machine.touch(object + 7 * page.value, 1);
  memory.machine.touch(object + 20 * page.value, 40);
  expect_where(memory, object, 64);
  memory.move(object + 30 * page.value, 1, TierId(0));
  const std::uint64_t before = memory.tracker.asked();
  expect_where(memory, object + 20 * page.value, 40);
  EXPECT_EQ(memory.tracker.asked(), before + 1) << "the one that moved";
  expect_where(memory, object + 90 * page.value, 20);
  EXPECT_EQ(memory.tracker.asked(), before + 1 + 20) << "pages of no object are asked for each time";
  expect_where(memory, object + 60 * page.value, 4);
  EXPECT_EQ(memory.tracker.asked(), before + 1 + 20 + 4) << "as are those that nobody has touched";
  expect_truth(memory);
}

TEST(PageTracker, DoesNotGuessWhereSinglePagesAre) {
  Memory memory;
  const std::uintptr_t object = memory.add(0, no_tier);
  memory.machine.put(object, 1, TierId(1));
  memory.machine.put(object + 16 * page.value, 1, TierId(1));
  memory.tracker.placement(memory.objects);  // a plan takes pages 1 to 15 to be like these
  expect_where(memory, object, 20);
  memory.machine.put(object + 3 * page.value, 5, TierId(0));
  expect_where(memory, object, 20);
}

TEST(PageTracker, AsksTheMachineForNothingIfItIsAskedForNothing) {
  Memory memory;
  memory.machine.fake_execution().set_virtual_time(false);
  memory.add(0);
  memory.tracker.placement(memory.objects);
  const std::uint64_t before = memory.tracker.asked();
  memory.tracker.where(memory.objects, {}, {});
  EXPECT_EQ(memory.tracker.asked(), before);
}

TEST(PageTracker, AfterTooManyMovesAPlanAsksForEachPageThoughADaemonAskedBefore) {
  Memory memory;
  const std::uintptr_t object = memory.add(0);
  expect_truth(memory);
  move_too_often(memory, object);
  memory.move(object + 5 * page.value, 1, TierId(0));
  expect_where(memory, object, 1);
  expect_truth(memory);
}

TEST(PageTracker, TellsOfSinglePagesInAnyOrder) {
  Memory memory;
  const std::uintptr_t object = memory.add(0), other = memory.add(1);
  memory.move(object + 3 * page.value, 5, TierId(0));
  const std::vector<std::uintptr_t> pages{other, object + 8 * page.value, object + 4 * page.value, other + page.value,
                                          object};
  std::vector<TierId> tiers(pages.size());
  memory.tracker.where(memory.objects, pages, tiers);
  EXPECT_EQ(tiers, (std::vector<TierId>{TierId(1), TierId(1), TierId(0), TierId(1), TierId(1)}));
}

TEST(PageTracker, MayBeAskedByPlansAndDaemonsAtOneTime) {
  Memory memory;
  for (std::uint64_t number = 0; number < 20; ++number) memory.add(number);
  const auto wrong = [&memory](std::uint64_t number) {
    std::vector<std::uintptr_t> pages;
    for (std::uint64_t i = 0; i < 64; ++i) pages.push_back(base + (number * 100 + i) * page.value);
    std::vector<TierId> tiers(pages.size());
    memory.tracker.moved(pages);  // nobody knows whether
    memory.tracker.where(memory.objects, pages, tiers);
    return std::ranges::count_if(tiers, [](TierId tier) { return tier != TierId(1); });
  };
  std::vector<std::thread> threads;
  std::atomic<std::int64_t> all_wrong{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t number = 0; number < 20; ++number) {
        all_wrong += wrong(number);
        if (memory.tracker.placement(memory.objects).in(TierId(0)).size() != 0) ++all_wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(all_wrong, 0);
}

TEST(PageTracker, LooksAfterTheKernelInRealTime) {
  Memory memory;
  memory.machine.fake_execution().set_virtual_time(false);
  for (std::uint64_t number = 0; number < 100; ++number) memory.add(number);
  memory.tracker.placement(memory.objects);
  memory.machine.put(base + 50 * 100 * page.value, 10, TierId(0));  // nobody told us
  memory.tracker.placement(memory.objects);
  memory.tracker.placement(memory.objects);
  expect_truth(memory);
}

}  // namespace
}  // namespace lbhm
