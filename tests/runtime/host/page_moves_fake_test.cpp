// Does every page get where it can, when the kernel stops early, has no room or refuses?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "runtime/host/page_mover.h"
#include "tests/runtime/host/fake_kernel.h"

namespace lbhm::host {
namespace {

using testing::Each;
using testing::ElementsAre;

/// No address of this process: /proc/self/pagemap knows nothing of them.
constexpr std::uintptr_t first_page = 0x1000;
constexpr int fast = 0;
constexpr int slow = 1;

struct PageMoverOnFake : testing::Test {
  void put(std::size_t count, int node) {
    for (std::size_t i = 0; i < count; ++i) {
      addresses.push_back(first_page + addresses.size() * 0x1000);
      kernel.pages[addresses.back()] = {.node = node};
    }
    kernel.room.insert({fast, 1 << 20});
    kernel.room.insert({slow, 1 << 20});
  }
  std::vector<PageStatus> move(std::vector<int> nodes, PageMoverOptions options = {}) {
    options.call = kernel.call();
    PageMover mover(options);
    std::vector<PageStatus> status(addresses.size());
    mover.move(addresses, nodes, status);
    refused = mover.refused();
    return status;
  }

  FakeKernel kernel;
  std::vector<std::uintptr_t> addresses;
  bool refused = false;
};

TEST_F(PageMoverOnFake, MovesInBatchesInTheOrderGiven) {
  put(1000, slow);
  std::ranges::reverse(addresses);
  EXPECT_THAT(move({fast}, {.batch_pages = 300}), Each(PageStatus::moved));
  EXPECT_EQ(kernel.order, addresses);
  EXPECT_EQ(kernel.calls_that_move, 4);
  EXPECT_EQ(kernel.most_pages_a_call, 300u);
}

TEST_F(PageMoverOnFake, HelpersMoveEachPageOnce) {
  put(5000, slow);
  EXPECT_THAT(move({fast}, {.batch_pages = 64, .threads = 4}), Each(PageStatus::moved));
  EXPECT_EQ(kernel.order.size(), addresses.size());
}

TEST_F(PageMoverOnFake, ARequestOfOneBatchIsSharedByHelpers) {
  put(4096, slow);
  EXPECT_THAT(move({fast}, {.batch_pages = 4096, .threads = 2}), Each(PageStatus::moved));
  EXPECT_EQ(kernel.calls_that_move, 2);
}

TEST_F(PageMoverOnFake, PagesThatAreThereCostNoCallThatMoves) {
  put(10, fast);
  EXPECT_THAT(move({fast}), Each(PageStatus::already));
  EXPECT_EQ(kernel.calls_that_move, 0);
}

TEST_F(PageMoverOnFake, OneBusyPageHoldsNobodyUp) {
  put(100, slow);
  kernel.pages[addresses[3]].busy_calls = -1;
  const auto status = move({fast});
  EXPECT_EQ(status[3], PageStatus::busy);
  EXPECT_EQ(std::ranges::count(status, PageStatus::moved), 99);
}

TEST_F(PageMoverOnFake, BusyPagesAreAskedForAgain) {
  put(4, slow);
  kernel.pages[addresses[1]].busy_calls = 3;
  EXPECT_THAT(move({fast}, {.retries = 3}), Each(PageStatus::moved));
}

TEST_F(PageMoverOnFake, RetriesEnd) {
  put(4, slow);
  kernel.pages[addresses[1]].busy_calls = 4;
  EXPECT_THAT(move({fast}, {.retries = 1}),
              ElementsAre(PageStatus::moved, PageStatus::busy, PageStatus::moved, PageStatus::moved));
}

TEST_F(PageMoverOnFake, SaysByPageWhyItStayed) {
  put(6, slow);
  kernel.pages[addresses[0]].error = EACCES;
  kernel.pages[addresses[1]].node = no_node;
  kernel.pages.erase(addresses[2]);
  kernel.pages[addresses[3]].error = EINVAL;
  kernel.pages[addresses[4]].error = EBUSY;
  EXPECT_THAT(move({fast}), ElementsAre(PageStatus::denied, PageStatus::unmapped, PageStatus::unmapped,
                                        PageStatus::denied, PageStatus::busy, PageStatus::moved));
}

TEST_F(PageMoverOnFake, WhatDoesNotFitIsFull) {
  put(10, slow);
  kernel.room[fast] = 4;
  const auto status = move({fast});
  EXPECT_EQ(std::vector(status.begin(), status.begin() + 4), std::vector(4, PageStatus::moved));
  EXPECT_EQ(std::vector(status.begin() + 4, status.end()), std::vector(6, PageStatus::full));
}

TEST_F(PageMoverOnFake, GoesOnToTheNextNodeOfTheTier) {
  put(10, slow);
  kernel.room[fast] = 4;
  kernel.room[2] = 5;
  const auto status = move({fast, 2});
  EXPECT_EQ(std::ranges::count(status, PageStatus::moved), 9);
  EXPECT_EQ(status[9], PageStatus::full);
  EXPECT_EQ(kernel.pages[addresses[8]].node, 2);
}

TEST_F(PageMoverOnFake, NodesThatAreNotThereArePassedOver) {
  put(3, slow);
  EXPECT_THAT(move({7}), Each(PageStatus::denied));
  EXPECT_FALSE(refused);
  EXPECT_THAT(move({7, fast}), Each(PageStatus::moved));
}

TEST_F(PageMoverOnFake, ARefusalIsAskedForOnce) {
  put(3, slow);
  for (const int error : {EPERM, ENOSYS}) {
    kernel.refuses = error;
    PageMover mover({.call = kernel.call()});
    std::vector<PageStatus> status(3);
    mover.move(addresses, std::vector{fast}, status);
    EXPECT_THAT(status, Each(PageStatus::denied));
    EXPECT_TRUE(mover.refused());
    kernel.refuses = 0;
    mover.move(addresses, std::vector{fast}, status);
    EXPECT_THAT(status, Each(PageStatus::denied));
    EXPECT_EQ(kernel.calls_that_move, 0);
  }
}

TEST_F(PageMoverOnFake, TheRateIsKept) {
  put(100, slow);
  // 99 pages are paid for before the last batch of one: 405,504 bytes at 0.02 bytes/ns.
  const auto begin = std::chrono::steady_clock::now();
  move({fast}, {.batch_pages = 1, .rate_limit = BytesPerNanosecond(0.02)});
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took.count(), 20.0);
}

}  // namespace
}  // namespace lbhm::host
