// What are pages expected to be worth in programs of some kinds?
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/runtime/placement/page_values_fixture.h"

namespace lbhm::placement {
namespace {

TEST_F(PageValuesTest, APageThatIsSampledSteadilyIsExpectedToGoOn) {
  follow(values_, {extent(one, 100, site_a)});
  for (int look = 0; look < 400; ++look) {
    values_.add(page_at(one, 3), 2000, 0);
    values_.look(quarter, horizon, 0);
  }
  EXPECT_NEAR(rate(values_, page_at(one, 3)), 2, 0.2);
  EXPECT_LT(rate(values_, page_at(one, 4)), 0.1);
}

TEST_F(PageValuesTest, APageOfAStreamIsWorthNoMoreThanOthersOnceItWasSampled) {
  constexpr std::uint64_t pages = 2000, a_look = 5;
  follow(values_, {extent(one, pages, site_a)});
  for (std::uint64_t look = 0; look < 300; ++look) {
    for (std::uint64_t i = 0; i < a_look; ++i) values_.add(page_at(one, look * a_look + i), 1000, 0);
    values_.look(quarter, horizon, 0);
  }
  const double mean = 1000.0 * a_look / quarter.value / pages;
  EXPECT_LT(rate(values_, page_at(one, 299 * a_look)), 1.1 * mean);
  EXPECT_GT(rate(values_, page_at(one, pages - 1)), mean) << "it is still to come";
}

TEST_F(PageValuesTest, ANewObjectBeginsWithWhatTheLastOneOfItsSiteWasKnownFor) {
  follow(values_, {extent(one, 50, site_a)});
  sample_all(values_, one, 50, 3000, 200);
  const double known = mean_rate(values_, one, 50);
  ASSERT_NEAR(known, 3, 0.3);
  follow(values_, {extent(two, 20, site_a), extent(three, 20, site_b)});
  values_.look(Nanoseconds(1), horizon, 0);
  EXPECT_NEAR(rate(values_, page_at(two, 7)), known, 0.01 * known);
  EXPECT_EQ(rate(values_, page_at(three, 7)), 0) << "nothing is known of its site";
}

TEST_F(PageValuesTest, WhatASiteIsKnownForFadesUnlessItsNewObjectIsSampledToo) {
  follow(values_, {extent(one, 50, site_a)});
  sample_all(values_, one, 50, 3000, 200);
  follow(values_, {extent(two, 20, site_a)});
  for (int look = 0; look < 400; ++look) values_.look(quarter, horizon, 0);
  EXPECT_LT(rate(values_, page_at(two, 7)), 0.3);
}

TEST_F(PageValuesTest, PagesThatAppearedAfterTheWindowBeganMakeNoSlopes) {
  PageValues with_old;
  for (PageValues* values : {&values_, &with_old}) follow(*values, {extent(one, 50, site_a)});
  for (int look = 0; look < 100; ++look) {
    values_.add(page_at(one, 3), 1000, values_.window() + 1);
    with_old.add(page_at(one, 3), 1000, with_old.window());
    values_.look(quarter, horizon, 0);
    with_old.look(quarter, horizon, 0);
  }
  EXPECT_EQ(values_.expected(one).slope, Evidence{});
  EXPECT_NE(with_old.expected(one).slope, Evidence{}) << "one that was there before does";
}

TEST_F(PageValuesTest, AWindowBeginsWithTheFirstLookAndThenAfterEveryHorizon) {
  follow(values_, {extent(one, 1, site_a)});
  std::vector<std::uint64_t> windows;
  for (int look = 0; look < 9; ++look) {
    values_.look(quarter, horizon, 0);
    windows.push_back(values_.window());
  }
  EXPECT_EQ(windows, (std::vector<std::uint64_t>{1, 1, 1, 1, 5, 5, 5, 5, 9}));
  EXPECT_EQ(values_.looks(), 9u);
}

TEST_F(PageValuesTest, PagesAreExpectedToAppearWhereTheyDidAndWereSampled) {
  follow(values_, {});
  EXPECT_EQ(values_.births(0), 0);
  for (int look = 0; look < 100; ++look) {
    values_.born(site_a, 5);
    values_.born(site_b, 7);
    for (int i = 0; i < 5; ++i) values_.add_birth(site_a, 300);
    values_.look(quarter, horizon, 0);
  }
  EXPECT_NEAR(values_.births(100), 5, 0.01) << "those of the other site are not sampled";
  EXPECT_EQ(values_.births(1000), 0) << "none is worth so much";
}

TEST_F(PageValuesTest, NoMorePagesAreExpectedToAppearWhereNoneDidOfLate) {
  follow(values_, {});
  for (int look = 0; look < 100; ++look) {
    if (look < 60) values_.born(site_a, 5), values_.add_birth(site_a, 5000);
    values_.look(quarter, horizon, 0);
  }
  EXPECT_LT(values_.births(100), 0.01);
}

TEST_F(PageValuesTest, ObjectsThatAreGoneLeaveNothingBehind) {
  follow(values_, {extent(one, 50, site_a)});
  sample_all(values_, one, 50, 3000, 50);
  ASSERT_EQ(seen_in(values_, one, 50), 50u);
  follow(values_, {extent(one, 50, site_b)});
  EXPECT_EQ(seen_in(values_, one, 50), 0u);
  values_.look(quarter, horizon, 0);
  EXPECT_EQ(rate(values_, page_at(one, 3)), 0);
  EXPECT_EQ(mean_rate(values_, one, 50), 0);
}

TEST_F(PageValuesTest, AnObjectWherePagesOfNoneWereBeginsAnew) {
  const PageValues::Extent of_none{.address = 0, .bytes = {}, .site = {}, .pages = 50};
  values_.follow(std::vector{of_none});
  for (int look = 0; look < 100; ++look) {
    values_.add(page_at(one, 3), 2000, 0);
    values_.look(quarter, horizon, 0);
  }
  values_.follow(std::vector{PageValues::Extent{}, extent(one, 50, site_b)});
  EXPECT_EQ(seen_in(values_, one, 50), 0u);
  values_.look(quarter, horizon, 0);
  EXPECT_EQ(rate(values_, page_at(one, 3)), 0);
  for (int look = 0; look < 400; ++look) values_.look(quarter, horizon, 100);  // all is forgotten
  EXPECT_EQ(values_.expected(one).rate({}), 0);
  EXPECT_GE(values_.expected(one).level, 0) << "no evidence is taken away from it that it never had";
}

TEST_F(PageValuesTest, ASampleThatIsWorthNothingChangesNothing) {
  PageValues without;
  for (PageValues* values : {&values_, &without}) follow(*values, {extent(one, 50, site_a)});
  for (int look = 0; look < 100; ++look) {
    values_.add(page_at(one, 3), 0, 0);
    for (PageValues* values : {&values_, &without}) {
      values->add(page_at(one, 3), 1000, 0);
      values->look(quarter, horizon, 0);
    }
  }
  EXPECT_DOUBLE_EQ(rate(values_, page_at(one, 3)), rate(without, page_at(one, 3)));
  EXPECT_DOUBLE_EQ(rate(values_, page_at(one, 4)), rate(without, page_at(one, 4)));
}

TEST_F(PageValuesTest, LongRunsExpectWhatShortOnesDo) {
  PageValues late;
  for (PageValues* values : {&values_, &late}) follow(*values, {extent(one, 50, site_a), extent(two, 20, site_b)});
  for (std::uint64_t look = 0; look < 1500; ++look) {  // evidence is scaled by e a look: 1e100 after 230 of them
    for (PageValues* values : {&values_, &late}) {
      if (values == &late && look < 700) continue;
      values->add(page_at(one, 3), 5000, 0);
      values->add(page_at(one, look * 7 % 50), 700, 0);
      values->add(page_at(two, look * 3 % 20), 900, 0);
      values->look(horizon, horizon, 0);
    }
  }
  const double mean = mean_rate(late, one, 50);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const double expected = rate(late, page_at(one, i));
    ASSERT_TRUE(std::isfinite(expected));
    EXPECT_NEAR(rate(values_, page_at(one, i)), expected, 2e-3 * mean) << i;
  }
  EXPECT_NEAR(rate(values_, page_at(one, 3)), 1.25, 0.15);
}

TEST_F(PageValuesTest, PagesOfWhichLessIsKnownAreForgottenAtTheEndOfAWindow) {
  constexpr double least = 100;
  follow(values_, {extent(one, 50, site_a)});
  values_.look(quarter, horizon, least);
  values_.add(page_at(one, 3), 50, 0);
  values_.add(page_at(one, 4), 5000, 0);
  for (int look = 0; look < 3; ++look) values_.look(quarter, horizon, least);
  EXPECT_EQ(seen_in(values_, one, 50), 2u);
  values_.look(quarter, horizon, least);
  EXPECT_EQ(seen_in(values_, page_at(one, 3), 1), 0u);
  EXPECT_EQ(seen_in(values_, page_at(one, 4), 1), 1u);
  for (int look = 0; look < 4 * 64 * 5; ++look) values_.look(quarter, horizon, least);  // five times the longest scale
  EXPECT_EQ(seen_in(values_, one, 50), 0u);
  EXPECT_LT(mean_rate(values_, one, 50), 1e-6);
}

TEST_F(PageValuesTest, KnowsWhoseAPageIsAndWhereThatEnds) {
  follow(values_, {extent(one, 2, site_a), extent(two, 3, site_b)});
  EXPECT_EQ(values_.object_of(page_at(one, 1)), one);
  EXPECT_EQ(values_.site_of(page_at(two, 2)), site_b);
  EXPECT_EQ(values_.object_of(page_at(one, 2)), 0u) << "behind it";
  EXPECT_EQ(values_.border_behind(page_at(one, 1)), page_at(one, 2));
  EXPECT_EQ(values_.border_behind(page_at(one, 2)), two);
  EXPECT_EQ(values_.border_behind(page_at(two, 3)), UINTPTR_MAX);
}

TEST_F(PageValuesTest, PagesOfALaneThatWaitsAreNotUsedUntilItWorksAgain) {
  follow(values_, {extent(one, 10, site_a)});
  for (int look = 0; look < 60; ++look) {
    values_.add(page_at(one, 0), 1000, 0, LaneId(1));
    values_.add(page_at(one, 1), 1000, 0, LaneId(2));
    values_.add(page_at(one, 2), 500, 0, LaneId(1));
    values_.add(page_at(one, 2), 4500, 0, LaneId(2));
    values_.look(quarter, horizon, 0);
  }
  std::array<double, 4> before{}, now{};
  for (std::uint64_t i = 0; i < 4; ++i) before[i] = rate(values_, page_at(one, i));
  values_.look(Nanoseconds(1), horizon, 0, {{LaneId(1), 0.5}});
  for (std::uint64_t i = 0; i < 4; ++i) now[i] = rate(values_, page_at(one, i)) / before[i];
  EXPECT_NEAR(now[0], 0.5, 0.01);
  EXPECT_NEAR(now[1], 1, 0.01) << "its lane works";
  // Lane 1 has 1500 of 7000.
  EXPECT_NEAR(now[2], 1 - 0.5 * 1500 / 7000, 0.01) << "both use it";
  EXPECT_NEAR(now[3], now[2], 0.01) << "nobody knows who uses it: as much as the object";
  values_.look(Nanoseconds(1), horizon, 0);
  EXPECT_NEAR(rate(values_, page_at(one, 0)) / before[0], 1, 0.01);
  values_.add(page_at(one, 2), 1000, 7, LaneId(2));  // it went back to the system, and is there anew
  values_.look(Nanoseconds(1), horizon, 0);
  before[2] = rate(values_, page_at(one, 2));
  values_.look(Nanoseconds(1), horizon, 0, {{LaneId(1), 0.5}});
  EXPECT_NEAR(rate(values_, page_at(one, 2)) / before[2], 1, 0.01) << "of lane 2 alone";
}

}  // namespace
}  // namespace lbhm::placement
