// Are blocks that a program asks for again and again the same objects, and does that take no more memory?
#include "runtime/objects/kept_objects.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr SiteId site{7}, other_site{8};
constexpr Bytes block = KiB(64);

Object object(std::uintptr_t address, std::uint64_t nth, SiteId from = site, Bytes bytes = block) {
  Object object;
  object.address = address;
  object.bytes = bytes;
  object.site = from;
  object.nth = nth;
  return object;
}

/// So many blocks of `site` were asked for, given back and asked for again: from now on they are kept.
void repeat(KeptObjects& kept, std::uint64_t blocks) {
  for (std::uint64_t nth = 0; nth < blocks; ++nth) EXPECT_TRUE(kept.born(block).empty());
  for (std::uint64_t nth = 0; nth < blocks; ++nth) EXPECT_FALSE(kept.keep(object(1 + nth, nth)));
  for (std::uint64_t nth = 0; nth < blocks; ++nth) {
    EXPECT_EQ(kept.take(site, block), 0u);
    EXPECT_TRUE(kept.born(block).empty());
  }
}

TEST(KeptObjects, BlocksThatAreAskedForOnceAreNotKept) {
  KeptObjects kept;
  EXPECT_EQ(kept.take(site, block), 0u);
  kept.born(block);
  EXPECT_FALSE(kept.keep(object(1, 0)));
}

TEST(KeptObjects, ASequenceOfRequestsGetsTheSameBlocksEachTime) {
  KeptObjects kept;
  repeat(kept, 3);
  for (const std::uint64_t nth : {1, 2, 0}) EXPECT_TRUE(kept.keep(object(10 + nth, nth)));
  for (const std::uintptr_t address : {10, 11, 12}) EXPECT_EQ(kept.take(site, block), address);
  EXPECT_EQ(kept.take(site, block), 0u);
}

TEST(KeptObjects, AnotherSiteOrSizeGetsNone) {
  KeptObjects kept;
  repeat(kept, 1);
  EXPECT_TRUE(kept.keep(object(10, 0)));
  EXPECT_EQ(kept.take(other_site, block), 0u);
  EXPECT_EQ(kept.take(site, block + Bytes(1)), 0u);
  EXPECT_EQ(kept.take(site, block), 10u);
}

TEST(KeptObjects, WithFreshBlocksTheyAreNeverMoreThanWasLiveOnce) {
  KeptObjects kept;
  repeat(kept, 2);  // 128 KiB
  EXPECT_TRUE(kept.keep(object(10, 0)));
  EXPECT_TRUE(kept.keep(object(11, 1)));
  EXPECT_EQ(kept.born(block), std::vector<std::uintptr_t>{11});
  EXPECT_EQ(kept.born(block), std::vector<std::uintptr_t>{10});
  EXPECT_TRUE(kept.born(block).empty());
}

TEST(KeptObjects, TheKindThatWasNotSeenForLongestGoesFirst) {
  KeptObjects kept;
  repeat(kept, 1);
  kept.born(block);
  EXPECT_FALSE(kept.keep(object(20, 0, other_site)));
  EXPECT_EQ(kept.take(other_site, block), 0u);
  kept.born(block);
  EXPECT_TRUE(kept.keep(object(10, 0)));
  EXPECT_TRUE(kept.keep(object(20, 1, other_site)));
  EXPECT_EQ(kept.born(block), std::vector<std::uintptr_t>{10});
}

TEST(KeptObjects, LargeBlocksGoBackToTheSystem) {
  KeptObjects kept;
  const Bytes large = KeptObjects::largest + Bytes(1);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(kept.take(site, large), 0u);
    kept.born(large);
    EXPECT_FALSE(kept.keep(object(1, 0, site, large)));
  }
}

TEST(KeptObjects, OfManySizesFewAreRemembered) {
  KeptObjects kept;
  for (std::uint64_t more = 0; more < 100'000; ++more) {
    const Bytes bytes = block + Bytes(more);
    EXPECT_EQ(kept.take(site, bytes), 0u);
    EXPECT_TRUE(kept.born(bytes).empty());
    EXPECT_FALSE(kept.keep(object(1, more, site, bytes)));
  }
  repeat(kept, 1);
  EXPECT_TRUE(kept.keep(object(10, 0)));
}

TEST(KeptObjects, WhatNobodyKeepsIsNotLive) {
  KeptObjects kept;
  repeat(kept, 2);
  kept.gone(block);
  EXPECT_TRUE(kept.keep(object(10, 0)));
  EXPECT_TRUE(kept.born(block).empty());  // two blocks, as before
}

}  // namespace
}  // namespace lbhm
