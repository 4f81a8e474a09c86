// What does the kernel of this machine say of all kinds of pages? One memory node is enough to ask.
#include "runtime/host/page_mover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "tests/runtime/host/pages_of_memory.h"

namespace lbhm::host {
namespace {

using testing::Each;

std::vector<int> where(PageMover& mover, const std::vector<std::uintptr_t>& pages) {
  std::vector<int> nodes(pages.size());
  mover.where(pages, nodes);
  return nodes;
}

/// Moves all pages to the node of the first one.
std::vector<PageStatus> move_home(PageMover& mover, const std::vector<std::uintptr_t>& pages) {
  std::vector<PageStatus> status(pages.size());
  const std::array nodes{where(mover, pages)[0]};
  mover.move(pages, nodes, status);
  return status;
}

struct PageMoverHere : testing::Test {
  void SetUp() override {
    const PagesOfMemory one(1);
    one.touch(0, 1);
    PageMover asks;
    if (where(asks, one.addresses())[0] == no_node) GTEST_SKIP() << "move_pages is not to be had here";
  }
  PageMover mover;
};

TEST_F(PageMoverHere, TouchedPagesHaveANode) {
  const PagesOfMemory memory(10'000);  // more than a batch
  memory.touch(0, 10'000);
  EXPECT_THAT(where(mover, memory.addresses()), Each(testing::Ge(0)));
  EXPECT_FALSE(mover.refused());
}

TEST_F(PageMoverHere, UntouchedAndUnmappedPagesHaveNone) {
  const PagesOfMemory memory(4);
  memory.touch(0, 2);
  auto pages = memory.addresses();
  pages.push_back(8);  // page 0 is never mapped
  EXPECT_THAT(where(mover, pages), testing::ElementsAre(testing::Ge(0), testing::Ge(0), no_node, no_node, no_node));
  const auto status = move_home(mover, pages);
  EXPECT_EQ(status[0], PageStatus::already);
  EXPECT_EQ(status[2], PageStatus::unmapped);
  EXPECT_EQ(status[4], PageStatus::unmapped);
}

TEST_F(PageMoverHere, PagesThatWereOnlyReadAreNowhere) {
  const PagesOfMemory memory(2);
  memory.touch(0, 1);
  const volatile char zero = *memory.at(1);  // the kernel's page of zeros
  EXPECT_EQ(zero, 0);
  EXPECT_EQ(move_home(mover, memory.addresses())[1], PageStatus::unmapped);
}

TEST_F(PageMoverHere, LockedPagesAreNoExceptions) {
  const PagesOfMemory memory(4);
  // Not by mlock(): under sanitizers it does nothing.
  if (syscall(SYS_mlock, memory.at(0), 4 * memory.page_bytes()) != 0)
    GTEST_SKIP() << "no memory may be locked here (ulimit -l)";
  EXPECT_THAT(move_home(mover, memory.addresses()), Each(PageStatus::already));
}

TEST_F(PageMoverHere, ProtectedPagesArePutOffOrFoundButNeverLost) {
  const PagesOfMemory memory(3);
  memory.touch(0, 3);
  const auto pages = memory.addresses();
  const std::array nodes{where(mover, pages)[0]};
  ASSERT_EQ(mprotect(memory.at(1), memory.page_bytes(), PROT_NONE), 0);
  std::array<PageStatus, 3> status{};
  mover.move(pages, nodes, status);
  EXPECT_EQ(status[0], PageStatus::already);
  EXPECT_THAT(status[1], testing::AnyOf(PageStatus::already, PageStatus::busy));
  ASSERT_EQ(mprotect(memory.at(1), memory.page_bytes(), PROT_READ), 0);
  EXPECT_EQ(*memory.at(1), 1);
}

TEST_F(PageMoverHere, SharedPagesOfSeveralProcessesHaveANode) {
  const PagesOfMemory memory(4, MAP_SHARED | MAP_ANONYMOUS);
  ASSERT_TRUE(memory.mapped());
  memory.touch(0, 4);
  int both_run[2];
  ASSERT_EQ(pipe(both_run), 0);
  const pid_t child = fork();
  if (child == 0) {
    char go = memory.at(0)[0];
    _exit(read(both_run[0], &go, 1) == 1 ? 0 : 1);
  }
  EXPECT_THAT(move_home(mover, memory.addresses()), Each(PageStatus::already));
  EXPECT_EQ(write(both_run[1], "x", 1), 1);
  int ended = 0;
  waitpid(child, &ended, 0);
  EXPECT_EQ(ended, 0);
  close(both_run[0]);
  close(both_run[1]);
}

TEST_F(PageMoverHere, NodesThatAreNotThereMoveNothing) {
  const PagesOfMemory memory(3);
  memory.touch(0, 3);
  for (const int node : {1023, 1024, 1 << 20, -5}) {
    std::array<PageStatus, 3> status{};
    mover.move(memory.addresses(), std::array{node}, status);
    EXPECT_THAT(status, Each(PageStatus::denied)) << node;
  }
  EXPECT_FALSE(mover.refused());
}

TEST_F(PageMoverHere, NothingToDoIsNoError) {
  mover.move({}, std::array{0}, {});
  const PagesOfMemory memory(1);
  memory.touch(0, 1);
  std::array<PageStatus, 1> status{};
  mover.move(memory.addresses(), {}, status);
  EXPECT_THAT(status, Each(PageStatus::denied));
}

TEST_F(PageMoverHere, ErrnoOfTheProgramStays) {
  const PagesOfMemory memory(2);
  errno = 1234;
  std::array<PageStatus, 2> status{};
  mover.move(memory.addresses(), std::array{1023}, status);
  EXPECT_EQ(errno, 1234);
}

}  // namespace
}  // namespace lbhm::host
