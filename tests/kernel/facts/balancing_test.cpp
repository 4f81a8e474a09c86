// What the kernel's own page placement does to pages of slow memory that a program uses all the time.
#include <gtest/gtest.h>
#include <linux/mempolicy.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "memory.h"

namespace facts {
namespace {

constexpr std::size_t count = 2048;

/// Pages in fast memory after `seconds` of use, with the kernel's setting at `mode`. Begins with all of them in slow.
long promoted(const char* mode, double seconds) {
  EXPECT_TRUE(set("/proc/sys/kernel/numa_balancing", mode));
  // Pages without a policy: those with one stay where it says.
  const Pages pages(count);
  pages.touch();
  std::vector<int> status;
  EXPECT_EQ(move(pages.addresses(), slow, status), 0);
  EXPECT_EQ(std::ranges::count(pages.nodes(), slow), static_cast<long>(count));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  long fast_pages = 0;
  while (std::chrono::steady_clock::now() < end && fast_pages < static_cast<long>(count)) {
    for (int round = 0; round < 50; ++round) {
      for (std::size_t page = 0; page < count; ++page) *static_cast<volatile char*>(pages.at(page) + 100) = 1;
    }
    fast_pages = std::ranges::count(pages.nodes(), fast);
  }
  EXPECT_TRUE(set("/proc/sys/kernel/numa_balancing", "0"));
  std::printf("numa_balancing=%s: %ld of %zu pages went to fast memory\n", mode, fast_pages, count);
  return fast_pages;
}

TEST(Balancing, OffNothingMoves) { EXPECT_EQ(promoted("0", 2), 0); }

/// Seconds that the kernel has on a busy host; three are enough on an idle one, and all pages there end the test.
constexpr double patience = 20;

TEST(Balancing, OnPagesComeToTheThreadThatUsesThem) {
  EXPECT_GT(promoted("1", patience), static_cast<long>(count / 4));
}

TEST(Balancing, TieringPromotesHotPages) { EXPECT_GT(promoted("2", patience), static_cast<long>(count / 4)); }

}  // namespace
}  // namespace facts
