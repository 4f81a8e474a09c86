// Does the page mover say the truth about what became of each page?
#include "runtime/host/page_mover.h"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "facts/memory.h"

namespace lbhm::host {
namespace {

using facts::fast, facts::OtherOwner, facts::Pages, facts::slow;
using Statuses = std::vector<PageStatus>;

std::vector<std::uintptr_t> numbers(const Pages& pages) {
  std::vector<std::uintptr_t> all;
  for (void* const page : pages.addresses()) all.push_back(reinterpret_cast<std::uintptr_t>(page));
  return all;
}

Statuses move(PageMover& mover, const Pages& pages, int node) {
  Statuses status(pages.count(), PageStatus::unmapped);
  mover.move(numbers(pages), std::vector<int>{node}, status);
  return status;
}

long count(const Statuses& statuses, PageStatus status) { return std::ranges::count(statuses, status); }

TEST(Mover, ThousandsOfPagesGoBothWays) {
  const Pages pages(6000);
  facts::bind(pages, MPOL_PREFERRED, {fast});
  pages.touch();
  for (const unsigned threads : {1U, 2U}) {
    PageMover mover({.batch_pages = 1024, .threads = threads});
    for (const int node : {slow, fast}) {
      EXPECT_EQ(count(move(mover, pages, node), PageStatus::moved), 6000);
      EXPECT_EQ(pages.nodes(), std::vector<int>(6000, node));
      std::vector<int> where(6000);
      mover.where(numbers(pages), where);
      EXPECT_EQ(where, pages.nodes());
      EXPECT_EQ(count(move(mover, pages, node), PageStatus::already), 6000);
    }
  }
  EXPECT_TRUE(pages.intact());
}

TEST(Mover, PagesThatNobodyTouchedAreNotThere) {
  const Pages pages(64);
  for (std::size_t page = 0; page < 64; page += 2) pages.at(page)[0] = 1;
  PageMover mover;
  const Statuses status = move(mover, pages, slow);
  for (std::size_t page = 0; page < 64; ++page) {
    EXPECT_EQ(status[page], page % 2 == 0 ? PageStatus::moved : PageStatus::unmapped) << page;
  }
}

TEST(Mover, PagesThatAnotherProcessMapsAreDenied) {
  const Pages pages(8);
  pages.touch();
  OtherOwner other(pages);
  PageMover mover;
  EXPECT_EQ(move(mover, pages, slow), Statuses(8, PageStatus::denied));
  EXPECT_EQ(pages.nodes(), std::vector<int>(8, fast));
  EXPECT_TRUE(other.finish());
}

TEST(Mover, LockedPagesMove) {
  const Pages pages(64);
  pages.touch();
  ASSERT_EQ(mlock(pages.at(0), pages.bytes()), 0);
  PageMover mover;
  EXPECT_EQ(move(mover, pages, slow), Statuses(64, PageStatus::moved));
  EXPECT_TRUE(pages.intact());
}

/// Pages that a sampler armed are busy, or move (newer kernels): never gone.
TEST(Mover, PagesWithoutAccessAreThere) {
  const Pages pages(64);
  pages.touch();
  ASSERT_EQ(mprotect(pages.at(0), pages.bytes(), PROT_NONE), 0);
  PageMover mover;
  for (const PageStatus status : move(mover, pages, slow)) {
    EXPECT_TRUE(status == PageStatus::busy || status == PageStatus::moved) << static_cast<int>(status);
  }
  ASSERT_EQ(mprotect(pages.at(0), pages.bytes(), PROT_READ | PROT_WRITE), 0);
  EXPECT_TRUE(pages.intact());
}

/// The kernel gives one error for the whole call then, and no status: the mover has to look where pages are.
TEST(Mover, AFullNodeTakesWhatFitsAndSaysWhatDoesNot) {
  const auto filler = facts::fill_slow_memory();
  const Pages pages(32768);
  pages.touch();
  PageMover mover;
  const Statuses status = move(mover, pages, slow);
  const std::vector<int> nodes = pages.nodes();
  std::printf("%ld moved, %ld full; the kernel: %ld slow, %ld fast\n", count(status, PageStatus::moved),
              count(status, PageStatus::full), std::ranges::count(nodes, slow), std::ranges::count(nodes, fast));
  EXPECT_GT(count(status, PageStatus::full), 4096);
  for (std::size_t page = 0; page < pages.count(); ++page) {
    ASSERT_EQ(nodes[page], status[page] == PageStatus::moved ? slow : fast) << page;
    ASSERT_TRUE(status[page] == PageStatus::moved || status[page] == PageStatus::full) << page;
  }
  EXPECT_TRUE(pages.intact());
}

}  // namespace
}  // namespace lbhm::host
