// Does the profile follow the pages that later instances use?
#include "runtime/knowledge/page_uses.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr Bytes page{4096};

PhaseProfile profile_of(std::vector<PageCount> pages, std::uint64_t object_pages, std::size_t objects = 1) {
  PhaseProfile profile;
  profile.tasks.push_back({.lane = LaneId(0), .time = {}, .events = {}, .tiers = {}, .pages = std::move(pages)});
  profile.object_bytes.assign(objects, page * object_pages);
  return profile;
}

PageCount count(std::uint32_t slot, std::uint64_t number, double accesses) {
  return {ObjectSlot(slot), PageIndex(number), AccessCount(accesses)};
}

double at(const PhaseProfile& profile, std::uint32_t slot, std::uint64_t number) {
  for (const PageCount& p : profile.tasks[0].pages)
    if (p.slot.value == slot && p.page.value == number) return p.count.value;
  return 0;
}

TEST(FollowPages, HalfAsBeforeHalfAsNow) {
  PhaseProfile base = profile_of({count(0, 0, 100)}, 4);
  follow_pages(base, profile_of({count(0, 3, 10)}, 4), page);
  EXPECT_DOUBLE_EQ(at(base, 0, 0), 50);
  EXPECT_DOUBLE_EQ(at(base, 0, 3), 50);
  follow_pages(base, profile_of({count(0, 3, 10)}, 4), page);
  EXPECT_DOUBLE_EQ(at(base, 0, 0), 25);
}

TEST(FollowPages, PagesOfASmallerOrLargerObjectStandForThoseAtTheSamePart) {
  PhaseProfile base = profile_of({count(0, 0, 100)}, 4);
  follow_pages(base, profile_of({count(0, 1, 1)}, 2), page);  // the second half
  EXPECT_DOUBLE_EQ(at(base, 0, 2), 25);
  EXPECT_DOUBLE_EQ(at(base, 0, 3), 25);
  base = profile_of({count(0, 0, 100)}, 4);
  follow_pages(base, profile_of({count(0, 14, 1), count(0, 15, 1)}, 16), page);
  EXPECT_DOUBLE_EQ(at(base, 0, 3), 50);
}

TEST(FollowPages, WhatTheInstanceDidNotUseStays) {
  PhaseProfile base = profile_of({count(0, 0, 100), count(1, 2, 7)}, 4, 2);
  follow_pages(base, profile_of({count(0, 0, 3)}, 4, 2), page);
  EXPECT_DOUBLE_EQ(at(base, 0, 0), 100);
  EXPECT_DOUBLE_EQ(at(base, 1, 2), 7);
}

TEST(FollowPages, WhatTheBaseDidNotUseCountsAsInTheInstance) {
  PhaseProfile base = profile_of({count(0, 0, 100)}, 4, 2);
  follow_pages(base, profile_of({count(1, 1, 8)}, 2, 2), page);
  EXPECT_DOUBLE_EQ(at(base, 1, 2) + at(base, 1, 3), 16);  // an object of twice the size
}

}  // namespace
}  // namespace lbhm
