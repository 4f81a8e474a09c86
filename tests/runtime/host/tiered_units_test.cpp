// Huge pages move whole, whoever names how few of their pages: does capacity hold, and is the account right?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/host/fake_computer.h"
#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

using testing::Each;

constexpr std::size_t huge = 512;  // pages
constexpr Bytes huge_bytes(huge* page);

/// One fast node, one slow one; objects begin in slow memory, aligned to huge pages.
class HugePagesMove : public testing::Test {
 protected:
  void begin(const char* kernel, HugePages setting, std::uint64_t capacity_in_pages, std::size_t batch_pages = 4096) {
    tree_.write("sys/kernel/mm/transparent_hugepage/enabled", kernel);
    tree_.write("sys/devices/system/node/node2/meminfo", "Node 2 MemFree: 1048576 kB");
    TieredMemoryOptions options;
    options.huge_pages = setting;
    options.mover.batch_pages = batch_pages;
    options.root = tree_.root();
    const std::vector<std::vector<int>> tiers{{2}, {0}};
    computer_ = std::make_unique<Computer>(Bytes(capacity_in_pages * page), tiers, std::move(options));
    computer_->memory->prefer_default(slow_first);
  }
  /// In huge pages, in slow memory.
  std::uintptr_t object(std::size_t pages) {
    const std::uintptr_t at = computer_->object(pages, huge_bytes);
    computer_->touch(at, pages);
    for (std::size_t i = 0; i + huge <= pages; i += huge) computer_->kernel.huge.insert(at + i * page);
    return at;
  }
  std::size_t fast_pages(std::uintptr_t at, std::size_t pages) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pages; ++i) count += computer_->kernel.pages[at + i * page].node == 2;
    return count;
  }

  MadeUpTree tree_;
  std::unique_ptr<Computer> computer_;
};

TEST_F(HugePagesMove, WhatMovesWholeIsKnownByTheSettings) {
  begin("always [madvise] never", HugePages::on, 4096);
  const auto at = object(huge + 3);
  EXPECT_EQ(computer_->memory->largest_unit(), huge_bytes);
  EXPECT_TRUE(computer_->memory->moves_whole(at + 7 * page));
  EXPECT_FALSE(computer_->memory->moves_whole(at + huge * page)) << "the end of the object is no whole block";

  begin("always [madvise] never", HugePages::kernel, 4096);
  EXPECT_FALSE(computer_->memory->moves_whole(object(huge)));
  begin("[always] madvise never", HugePages::kernel, 4096);
  EXPECT_TRUE(computer_->memory->moves_whole(object(huge)));
  begin("[always] madvise never", HugePages::off, 4096);
  EXPECT_FALSE(computer_->memory->moves_whole(object(huge)));
  begin("always madvise [never]", HugePages::on, 4096);
  EXPECT_FALSE(computer_->memory->moves_whole(object(huge)));
  EXPECT_EQ(computer_->memory->largest_unit(), Bytes(page));
}

TEST_F(HugePagesMove, ABlockOnTwoNodesOrNotYetTouchedIsNoHugePage) {
  begin("[always] madvise never", HugePages::kernel, 4096);
  const auto at = computer_->object(2 * huge, huge_bytes);
  computer_->touch(at, huge - 1);
  EXPECT_FALSE(computer_->memory->moves_whole(at));
  computer_->touch(at + huge * page, huge);
  computer_->touch(at + huge * page, 1, 2);
  EXPECT_FALSE(computer_->memory->moves_whole(at + huge * page));
}

TEST_F(HugePagesMove, NamedByAllTheirPagesAllOfThemMove) {
  begin("always [madvise] never", HugePages::on, 2 * huge);
  const auto at = object(2 * huge);
  EXPECT_THAT(computer_->move(at, 2 * huge, fast), Each(PageStatus::moved));
  EXPECT_EQ(fast_pages(at, 2 * huge), 2 * huge);
  EXPECT_EQ(computer_->memory->room(fast), Bytes(0));
}

TEST_F(HugePagesMove, ACallOfTheKernelMayEndInOne) {
  begin("always [madvise] never", HugePages::on, 4 * huge, 700);
  const auto at = object(4 * huge);
  EXPECT_THAT(computer_->move(at, 4 * huge, fast), Each(PageStatus::moved));
}

TEST_F(HugePagesMove, OnePageOfItIsAdmittedOnlyIfAllFit) {
  begin("always [madvise] never", HugePages::on, huge + huge / 2);
  const auto first = object(huge), second = object(huge);
  EXPECT_THAT(computer_->move(first, 1, fast), Each(PageStatus::moved));
  EXPECT_EQ(fast_pages(first, huge), huge);
  EXPECT_EQ(computer_->memory->room(fast), Bytes(huge / 2 * page)) << "the others came along";
  EXPECT_THAT(computer_->move(second, 1, fast), Each(PageStatus::full));
  EXPECT_THAT(computer_->move(second, huge, fast), Each(PageStatus::full)) << "half of it fits, and does not come";
  EXPECT_EQ(fast_pages(second, huge), 0u);
  EXPECT_THAT(computer_->move(first, 1, slow), Each(PageStatus::moved));
  EXPECT_THAT(computer_->move(second, huge, fast), Each(PageStatus::moved)) << "room is free again";
}

TEST_F(HugePagesMove, WhatDoesNotFitLeavesRoomForSmallPagesBehindIt) {
  begin("always [madvise] never", HugePages::on, 10);
  const auto at = object(huge + 10);
  const auto statuses = computer_->move(at, huge + 10, fast);
  EXPECT_EQ(std::ranges::count(statuses, PageStatus::full), static_cast<std::ptrdiff_t>(huge));
  EXPECT_EQ(fast_pages(at, huge + 10), 10u);
}

TEST_F(HugePagesMove, ThoseThatTheProgramAdvisedItselfAreCountedOnceTheyMoved) {
  begin("always [madvise] never", HugePages::kernel, 2 * huge);
  const auto first = object(huge), second = object(huge + huge / 2);
  EXPECT_THAT(computer_->move(first + 5 * page, 2, fast), Each(PageStatus::moved));
  EXPECT_EQ(computer_->memory->room(fast), huge_bytes);
  EXPECT_THAT(computer_->move(second + huge * page, 1, fast), Each(PageStatus::moved));
  EXPECT_EQ(computer_->memory->room(fast), Bytes((huge - 1) * page)) << "small pages take nobody along";
}

}  // namespace
}  // namespace lbhm::host
