// Do accessed bits say what was accessed, in each of the ways that this kernel offers?
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/host/sampling/armed_memory.h"
#include "runtime/host/sampling/mappings.h"
#include "runtime/host/sampling/samplers.h"
#include "tests/runtime/host/made_up_tree.h"
#include "tests/runtime/host/sampling/mapped_pages.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class AccessedBits : public testing::Test {
 protected:
  void start(const std::string& accessed) {
    ObserverOptions options;
    options.accessed = accessed;
    observer = make_page_observer(options, why);
  }
  std::vector<int> scan(const MappedPages& pages, bool clear) {
    const auto bits = std::make_unique<bool[]>(pages.all().size());
    observer->scan_accessed(pages.all(), {bits.get(), pages.all().size()}, clear);
    return {bits.get(), bits.get() + pages.all().size()};
  }
  std::unique_ptr<HostPageObserver> observer;
  std::string why;
};

TEST_F(AccessedBits, ByFaults) {
  start("faults");
  ASSERT_TRUE(observer) << why;
  const MappedPages pages(4);
  for (std::size_t i = 0; i < 3; ++i) pages[i] = 1;
  EXPECT_THAT(scan(pages, true), ElementsAre(1, 1, 1, 0));  // nobody has touched the last one
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 0, 0, 0));
  pages[1] = 2;
  EXPECT_EQ(pages[2], 1);  // reads count
  EXPECT_THAT(scan(pages, false), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 0, 0, 0));
  std::vector<HintFault> faults;
  observer->drain_hint_faults(faults);
  EXPECT_TRUE(faults.empty());  // nobody asked for those
}

TEST_F(AccessedBits, BitsAndHintsDoNotDisturbEachOther) {
  start("faults");
  ASSERT_TRUE(observer) << why;
  const MappedPages pages(2);
  for (std::size_t i = 0; i < 2; ++i) pages[i] = 1;
  scan(pages, true);
  pages[0] = 2;
  observer->arm_hint_faults(pages.all());
  EXPECT_THAT(scan(pages, false), ElementsAre(1, 0));  // the one that is armed for its hint only was accessed before
  pages[1] = 2;
  EXPECT_THAT(scan(pages, false), ElementsAre(1, 1));
  std::vector<HintFault> faults;
  observer->drain_hint_faults(faults);
  EXPECT_EQ(faults.size(), 1U);
}

TEST_F(AccessedBits, ByWriteProtection) {
  start("written");
  if (!observer) GTEST_SKIP() << why;
  const MappedPages pages(5);
  for (std::size_t i = 0; i < 5; ++i) pages[i] = 1;
  EXPECT_THAT(scan(pages, true), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 0, 0, 0, 0));
  pages[1] = 2;
  pages[4] = 2;
  EXPECT_EQ(pages[2], 1);  // reads go unseen, as the explanation says
  EXPECT_THAT(scan(pages, false), ElementsAre(0, 1, 0, 0, 1));
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 1, 0, 0, 1));
  EXPECT_THAT(scan(pages, true), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(why, HasSubstr("reads go unseen"));
}

TEST_F(AccessedBits, ByIdleFlags) {
  start("idle");
  if (!observer) GTEST_SKIP() << why;
  const MappedPages pages(3);
  for (std::size_t i = 0; i < 3; ++i) pages[i] = 1;
  scan(pages, true);
  pages[1] = 2;
  EXPECT_EQ(scan(pages, false)[1], 1);
}

/// The files of DAMON; the kernel behind them is this test.
struct MadeUpDamon {
  MadeUpDamon() {
    for (const char* const file :
         {"nr_kdamonds", "0/state", "0/contexts/nr_contexts", "0/contexts/0/operations",
          "0/contexts/0/monitoring_attrs/intervals/sample_us", "0/contexts/0/targets/0/pid_target",
          "0/contexts/0/schemes/0/access_pattern/sz/min"}) {
      tree.write(folder + file, "0");
    }
    for (const char* const other : {"monitoring_attrs/nr_regions", "targets", "schemes/0/access_pattern/nr_accesses",
                                    "schemes/0/access_pattern/age", "schemes/0/tried_regions"}) {
      std::filesystem::create_directories(tree.root() + "/" + folder + "0/contexts/0/" + other);
    }
  }
  void region(const std::string& number, std::uintptr_t begin, std::uintptr_t end) {
    const std::string where = folder + "0/contexts/0/schemes/0/tried_regions/" + number;
    tree.write(where + "/start", std::to_string(begin));
    tree.write(where + "/end", std::to_string(end));
  }
  std::string read(const std::string& file) const {
    std::ifstream text(tree.root() + "/" + folder + file);
    std::string word;
    text >> word;
    return word;
  }
  const std::string folder = "sys/kernel/mm/damon/admin/kdamonds/";
  host::MadeUpTree tree;
};

TEST_F(AccessedBits, ByDamonArePagesOfTheRegionsThatItNames) {
  MadeUpDamon damon;
  const MappedPages pages(5);
  const auto at = [&](std::size_t page) { return pages.all()[page]; };
  damon.region("1", at(3), at(4));
  damon.region("0", at(0), at(2));
  ObserverOptions options;
  options.accessed = "damon";
  options.root = damon.tree.root();
  observer = make_page_observer(options, why);
  ASSERT_TRUE(observer) << why;
  EXPECT_EQ(damon.read("0/state"), "on");
  EXPECT_EQ(damon.read("0/contexts/0/targets/0/pid_target"), std::to_string(getpid()));
  EXPECT_THAT(scan(pages, true), ElementsAre(1, 1, 0, 1, 0));
  EXPECT_EQ(damon.read("0/state"), "update_schemes_tried_regions");
  observer.reset();
  EXPECT_EQ(damon.read("0/state"), "off");
  EXPECT_EQ(damon.read("nr_kdamonds"), "0");
}

TEST_F(AccessedBits, ByDamonAreNotTakenFromSomebodyElse) {
  MadeUpDamon damon;
  damon.tree.write(damon.folder + "nr_kdamonds", "1");
  damon.tree.write(damon.folder + "0/state", "on");
  ObserverOptions options;
  options.accessed = "damon";
  options.root = damon.tree.root();
  EXPECT_FALSE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("is in use"));
  EXPECT_EQ(damon.read("0/state"), "on");
  options.root = "/nowhere";
  EXPECT_FALSE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("CONFIG_DAMON_SYSFS"));
}

TEST_F(AccessedBits, BeyondTheBudgetFewerPagesAreWatchedAndSaidSo) {
  ObserverOptions options;
  options.accessed = "faults";
  options.most_per_second = 10;
  observer = make_page_observer(options, why);
  ASSERT_TRUE(observer) << why;
  const MappedPages pages(100);
  for (std::size_t i = 0; i < 100; ++i) pages[i] = 1;
  observer->arm_hint_faults(pages.all());
  for (std::size_t i = 0; i < 100; ++i) pages[i] = 2;
  std::vector<HintFault> faults;
  observer->drain_hint_faults(faults);
  EXPECT_EQ(faults.size(), 10U);
  EXPECT_GE(faults.back().page - faults.front().page, 80 * pages.page());  // spread over all
  ASSERT_EQ(observer->remarks().size(), 1U);
  EXPECT_THAT(observer->remarks()[0], HasSubstr("90 pages were not watched"));
}

TEST_F(AccessedBits, WhatIsMissingIsNamed) {
  ObserverOptions options;
  options.root = "/nowhere";
  options.accessed = "idle";
  EXPECT_FALSE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("CONFIG_IDLE_PAGE_TRACKING"));
  options.accessed = "written";
  EXPECT_FALSE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("/proc/self/pagemap"));
  options.accessed = "guess";
  EXPECT_FALSE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("use auto, idle, damon, faults or written"));
  options.accessed = "auto";
  EXPECT_FALSE(make_page_observer(options, why)) << "hint faults are nobody's default";
  EXPECT_THAT(why, HasSubstr("LBHM_HINT_FAULTS=on"));
  options.hint_faults = true;
  EXPECT_TRUE(make_page_observer(options, why));
  EXPECT_THAT(why, HasSubstr("hint faults of our own"));
}

TEST(Mappings, LinesOfTheKernel) {
  using sampling::parse_mapping;
  const auto heap = parse_mapping("55d0c1a2b000-55d0c1a4c000 rw-p 00000000 00:00 0                          [heap]");
  ASSERT_TRUE(heap);
  EXPECT_EQ(heap->first, 0x55d0c1a2b000U);
  EXPECT_EQ(heap->end, 0x55d0c1a4c000U);
  EXPECT_EQ(heap->protection, PROT_READ | PROT_WRITE);
  EXPECT_FALSE(heap->stack);
  EXPECT_TRUE(parse_mapping("7ffd0000-7ffe0000 rw-p 00000000 00:00 0 [stack]")->stack);
  EXPECT_EQ(parse_mapping("1000-2000 ---p 0 00:00 0")->protection, PROT_NONE);
  for (const char* line : {"", "1000", "1000-", "1000-2000", "1000-2000 r", "2000-1000 r--p 0", "x-y r--p 0"})
    EXPECT_FALSE(parse_mapping(line)) << line;
}

TEST(ArmedPages, ATableOfManyPagesForgetsNoneAndCleansUp) {
  sampling::ArmedPages table(4096);
  constexpr std::uintptr_t base = 0x7f0000000000;
  for (std::uintptr_t round = 0; round < 3; ++round) {
    for (std::uintptr_t i = 0; i < 20000; ++i) {
      ASSERT_TRUE(table.reserve(1));
      table.set(base + (round * 20000 + i) * 4096, {.protection = PROT_READ, .reasons = 1});
    }
    EXPECT_EQ(table.armed(), 20000U);
    for (std::uintptr_t i = 0; i < 20000; ++i) {
      const auto page = base + (round * 20000 + i) * 4096;
      ASSERT_EQ(table.find(page).reasons, 1U);
      table.set(page, {.protection = PROT_READ});
    }
  }
  EXPECT_EQ(table.armed(), 0U);
  EXPECT_LE(table.slots(), 1U << 18);  // those of earlier rounds went
}

}  // namespace
}  // namespace lbhm
