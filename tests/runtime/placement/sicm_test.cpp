// Does policy sicm count samples for sites, move whole sites when that pays, and remember where a site belongs?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "runtime/placement/sites/site_guidance.h"
#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using namespace placement;

constexpr TierId fast{0}, slow{1};
constexpr Bytes page(4096);
const SiteId hot = site_of_name("hot"), cold = site_of_name("cold"), other = site_of_name("other");

AccessSample load(std::uintptr_t address, TierId tier = slow, double weight = 1) {
  return {.address = address, .lane = LaneId(0), .tier = tier, .latency = {}, .time = {}, .weight = weight};
}

TEST(SiteProfileTest, CountsLoadsForTheSiteOfTheObjectThatTheyHit) {
  SiteProfile profile;
  profile.born(0x10000, page * 2, hot);
  profile.born(0x20000, page, cold);
  profile.born(0x30000, page, hot);
  AccessSample store = load(0x10000);
  store.write = true;
  const std::vector<AccessSample> samples{
      load(0x10000), load(0x11fff), load(0x30008, slow, 2), load(0x12000), load(0x20010), load(0xffff), store};
  profile.count(samples, AccessCount(100));
  const auto sites = profile.sites({.tiers = {{{0x20000, page}}, {{0x10000, page * 2}, {0x30000, page}}}}, page);
  ASSERT_EQ(sites.size(), 2u);
  const SiteState& of_hot = sites[sites[0].site == hot ? 0 : 1];
  const SiteState& of_cold = sites[sites[0].site == hot ? 1 : 0];
  EXPECT_EQ(of_hot.reads, AccessCount(400)) << "two samples, and one of double weight";
  EXPECT_EQ(of_cold.reads, AccessCount(100));
  EXPECT_THAT(of_hot.pages, testing::ElementsAre(0, 3));
  EXPECT_THAT(of_cold.pages, testing::ElementsAre(1, 0));
}

TEST(SiteProfileTest, ARangeOfSeveralObjectsIsSharedOutAndAnAddressIsItsLastObjects) {
  SiteProfile profile;
  profile.born(0x10000, page * 4, other);
  profile.born(0x10000, page, hot);  // that one is gone, unnoticed
  profile.born(0x11000, Bytes(4000), cold);
  profile.born(0x12000, page, hot);
  const auto sites = profile.sites({.tiers = {{{0x10000, page * 3}}, {}}, .untouched = {{0x14000, page}}}, page);
  ASSERT_EQ(sites.size(), 2u);
  for (const SiteState& site : sites) EXPECT_EQ(site.pages[0], site.site == hot ? 2u : 1u);
}

TEST(SiteProfileTest, SitesComeInTheOrderOfAddressesWhateverTheirIds) {
  const PagePlacement placement{.tiers = {{{0x20000, page}}, {{0x30000, page}}}, .untouched = {{0x10000, page}}};
  for (const auto& ids : {std::array{hot, cold, other}, std::array{other, cold, hot}}) {
    SiteProfile profile;
    for (std::size_t i = 0; i < ids.size(); ++i) profile.born(0x10000 * (i + 1), page, ids[i]);
    const auto sites = profile.sites(placement, page);
    ASSERT_EQ(sites.size(), 3u);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(sites[i].site, ids[i]) << i;
  }
}

TEST(SiteProfileTest, CountsOutliveObjectsAndAreReweightedOnDemand) {
  SiteProfile profile;
  profile.born(0x10000, page, hot);
  profile.count(std::vector{load(0x10000)}, AccessCount(10));
  profile.follow({});
  EXPECT_THAT(profile.sites({.tiers = {{{0x10000, page}}}}, page), IsEmpty());
  profile.born(0x20000, page, hot);
  profile.reweight(0.5);
  EXPECT_EQ(profile.sites({.tiers = {{{0x20000, page}}}}, page)[0].reads, AccessCount(5));
}

TEST(SiteProfileTest, PiecesAreOfOneObjectAndForgottenWithIt) {
  SiteProfile profile(Bytes(1));  // the least: 64 KiB
  profile.born(0x100000, Bytes(0x18000), hot, 0);
  profile.born(0x118000, Bytes(0x8000), hot, 1);
  profile.count(std::vector{load(0x100000), load(0x110000), load(0x117fff), load(0x118000)}, AccessCount(1));
  const PagePlacement placement{.tiers = {{}, {{0x100000, Bytes(0x20000)}}}};
  auto pieces = profile.sites(placement, page);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].pages[1], 16u);
  EXPECT_EQ(pieces[1].pages[1], 8u);
  EXPECT_EQ(pieces[1].reads, AccessCount(2));
  EXPECT_EQ(pieces[2].lies[1][0].address, 0x118000u);
  profile.follow(
      std::vector<PlacedObject>{{.address = 0x118000, .bytes = Bytes(0x8000), .name = {}, .site = hot, .nth = 1}});
  pieces = profile.sites(placement, page);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].reads, AccessCount(1));
}

SiteState site(SiteId id, double reads, std::vector<std::uint64_t> pages, std::uintptr_t address) {
  SiteState state{.site = id, .reads = AccessCount(reads), .lies = {}, .pages = pages};
  for (const std::uint64_t count : pages) {
    state.lies.emplace_back();
    if (count > 0) state.lies.back().push_back({address, page * count});
    address += 0x1000000;
  }
  return state;
}

const SkiPrices prices{.read = {Nanoseconds(0), Nanoseconds(300)}, .page_move = {2, std::vector(2, Nanoseconds(2000))}};

TEST(SiteGuidanceTest, WhatIsNotRecommendedLeavesOnlyAsMuchRoomAsIsNeededTheColdestFirst) {
  const std::vector<SiteState> sites{site(hot, 100, {0, 6}, 0x10000), site(cold, 1, {5, 2}, 0x20000),
                                     site(other, 0, {4, 0}, 0x30000)};
  EXPECT_EQ(recommend(sites, std::vector{page * 9, GiB(1)}, prices, page, choose::thermos),
            (std::vector{fast, slow, slow}));
  const auto left = [&](std::uint64_t free) {
    std::vector<std::uint64_t> pages(2);
    for (const PageMove& move : moves_to(sites, std::vector{fast, slow, slow}, {page * free, GiB(1)}, page).plan.moves)
      if (move.to == slow) pages[move.address == 0x20000 ? 0 : 1] += move.bytes.value / page.value;
    return pages;
  };
  EXPECT_EQ(left(6), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(left(3), (std::vector<std::uint64_t>{0, 3}));
  EXPECT_EQ(left(0), (std::vector<std::uint64_t>{2, 4}));
}

TEST(SiteGuidanceTest, ColdSitesLeaveFirstThenTheHottestComeAsFarAsThereIsRoom) {
  const std::vector<SiteState> sites{site(hot, 600, {0, 6}, 0x10000), site(cold, 10, {5, 2}, 0x20000),
                                     site(other, 100, {0, 4}, 0x30000)};
  const SiteMoves moves = moves_to(sites, std::vector{fast, slow, fast}, {page * 2, GiB(1)}, page);
  ASSERT_EQ(moves.plan.moves.size(), 3u);
  EXPECT_EQ(moves.plan.moves[0].address, 0x20000u);
  EXPECT_EQ(moves.plan.moves[0].bytes, page * 5);
  EXPECT_EQ(moves.plan.moves[0].to, slow);
  EXPECT_EQ(moves.plan.moves[1].address, 0x1010000u);
  EXPECT_EQ(moves.plan.moves[1].bytes, page * 6);
  EXPECT_EQ(moves.plan.moves[2].bytes, page * 1) << "2 were free, 5 left, 6 came";
  // A part that stays behind pays no rent that moving could spare.
  ASSERT_EQ(moves.parts.size(), 3u);
  EXPECT_NEAR(moves.parts[0].reads.value, 10.0 * 5 / 7, 1e-9);
  EXPECT_EQ(moves.parts[2].reads, AccessCount(25));
  EXPECT_THAT(moves_to(sites, std::vector{slow, slow, fast}, {page * 100, GiB(1)}, page).parts, testing::SizeIs(1))
      << "there is room enough";
}

/// Fast memory has 100 pages and holds the 100 pages of site cold; site hot has 80 in slow memory.
class SicmTest : public testing::Test {
 protected:
  void SetUp() override {
    machine.put(at_cold, 100, fast);
    machine.put(at_hot, 80, slow);
    context.add(at_cold, 100, cold);
    context.add(at_hot, 80, hot);
  }
  void follow(PolicyOptions options) {
    policy = std::move(*make_policy("sicm", options));
    policy->on_object({.site = cold, .object = {.address = at_cold, .bytes = page * 100, .name = {}}});
    policy->on_object({.site = hot, .object = {.address = at_hot, .bytes = page * 80, .name = {}}});
  }
  /// An interval with so many loads of each site.
  void interval(int of_hot, int of_cold = 0) {
    for (int i = 0; i < of_hot; ++i) machine.fake_samples().add(load(at_hot + i % 80 * 4096, machine.tier_of(at_hot)));
    for (int i = 0; i < of_cold; ++i) machine.fake_samples().add(load(at_cold, fast));
    now += Nanoseconds(1e9);
    machine.fake_execution().set_clock(now);
    policy->on_interval(context);
  }
  std::uint64_t hot_pages_in_fast() {
    std::uint64_t count = 0;
    for (std::uintptr_t at = at_hot; at < at_hot + 80 * 4096; at += 4096) count += machine.tier_of(at) == fast;
    return count;
  }

  static constexpr std::uintptr_t at_cold = 0x10000000, at_hot = 0x20000000;
  fake::FakeMachine machine{{100, 1000}};
  FakeContext context{machine};
  std::unique_ptr<Policy> policy;
  Nanoseconds now;
};

TEST_F(SicmTest, MovesTheSitesOnceTheRentExceedsThePrice) {
  follow({});
  // On the fake machine 100 pages down at 25 bytes/ns and 80 up at 50 take 22,938 ns; a read of slow memory takes 100
  // ns longer: that is 230 reads.
  interval(150);
  EXPECT_EQ(hot_pages_in_fast(), 0u);
  interval(90);
  EXPECT_EQ(hot_pages_in_fast(), 80u);
  EXPECT_EQ(machine.tier_of(at_cold), slow);
  const std::size_t moves = machine.moves().size();
  for (int i = 0; i < 5; ++i) interval(100);
  EXPECT_EQ(machine.moves().size(), moves) << "everything is where it belongs";
  EXPECT_THAT(policy->remarks()[0], HasSubstr("enforced at 1 of 7 intervals; it has seen 2 sites"));
}

TEST_F(SicmTest, ItSaysWhatItsDecisionsTake) {
  follow({});
  EXPECT_THAT(policy->remarks()[0], HasSubstr("a decision took 0 ns in the mean and 0 ns at most")) << "none was made";
  // A look of 8 ns at each of two objects and at each of 180 runs of a page, as the fake machine has them; and
  // log2(3) for each of two sites, to sort them.
  interval(1);
  EXPECT_THAT(policy->remarks()[0], HasSubstr("a decision took 1481 ns in the mean and 1481 ns at most"));
  context.remove_all();
  context.add(at_hot, 80, hot);
  interval(1);  // 1 object, 80 runs, log2(2)
  EXPECT_THAT(policy->remarks()[0], HasSubstr("a decision took 1069 ns in the mean and 1481 ns at most"));
}

TEST_F(SicmTest, NothingMovesWhileFastMemoryServesAsMany) {
  follow({});
  for (int i = 0; i < 20; ++i) interval(1000, 1250);  // by page as many
  EXPECT_EQ(hot_pages_in_fast(), 0u);
}

TEST_F(SicmTest, NewObjectsOfASiteAppearWhereItIs) {
  follow({});
  const auto born = [&](SiteId site) {
    return policy->on_object({.site = site, .object = {.address = 0x30000000, .bytes = page * 8, .name = {}}});
  };
  EXPECT_THAT(born(hot).moves, IsEmpty()) << "nothing is enforced yet";
  interval(1000, 10);
  ASSERT_EQ(hot_pages_in_fast(), 80u);
  ASSERT_EQ(born(hot).moves.size(), 1u);
  ASSERT_EQ(born(cold).moves.size(), 1u);
  EXPECT_EQ(born(hot).moves[0].to, fast);
  EXPECT_EQ(born(cold).moves[0].to, slow);
  EXPECT_THAT(born(other).moves, IsEmpty());
}

TEST_F(SicmTest, UntouchedPagesOfASiteWillAppearWhereItIs) {
  machine.map(0x30000000, 10);
  context.add(0x30000000, 10, hot);
  follow({});
  interval(1000);
  machine.touch(0x30000000, 10);
  EXPECT_EQ(machine.tier_of(0x30000000), fast);
}

TEST_F(SicmTest, OfASiteThatDoesNotFitPiecesCome) {
  // 70 of 200 pages are hot, and as hot as all of them together would be without them.
  machine.put(0x30000000, 200, slow);
  context.add(0x30000000, 200, other);
  const auto guided = [&](Bytes piece) {
    follow({.sicm_piece = piece});
    policy->on_object({.site = other, .object = {.address = 0x30000000, .bytes = page * 200, .name = {}}});
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 700; ++i) machine.fake_samples().add(load(0x30000000 + (128 + i % 70) * 4096));
      interval(0, 1000);
    }
    std::uint64_t count = 0;
    for (std::uintptr_t at = 0x30000000 + 128 * 4096; at < 0x30000000 + 198 * 4096; at += 4096)
      count += machine.tier_of(at) == fast;
    return count;
  };
  EXPECT_EQ(guided(Bytes(0)), 0u);
  EXPECT_EQ(guided(KiB(64)), 70u);
}

TEST_F(SicmTest, WithoutMovesItOnlyWatches) {
  follow({.without = "moves"});
  for (int i = 0; i < 5; ++i) interval(1000);
  EXPECT_THAT(machine.moves(), IsEmpty());
}

TEST_F(SicmTest, SitesThatChangeRolesComeBackSoonerWhereOldSamplesAreForgotten) {
  const auto intervals_until_swapped = [&](double keep) {
    follow({.sicm_keep = keep});
    for (int i = 0; i < 20; ++i) interval(300);
    EXPECT_EQ(hot_pages_in_fast(), 80u);
    int count = 0;
    for (; hot_pages_in_fast() > 0 && count < 100; ++count) interval(0, 375);
    for (std::uintptr_t at = at_hot; at < at_hot + 80 * 4096; at += 4096) {  // as it began
      PageStatus status;
      machine.move({&at, 1}, slow, {&status, 1});
    }
    for (std::uintptr_t at = at_cold; at < at_cold + 100 * 4096; at += 4096) {
      PageStatus status;
      machine.move({&at, 1}, fast, {&status, 1});
    }
    return count;
  };
  const int remembering = intervals_until_swapped(1), forgetting = intervals_until_swapped(0.5);
  EXPECT_GE(remembering, 20) << "as long as it was hot";
  EXPECT_LE(forgetting, 5);
  RecordProperty("remembering", remembering);
  RecordProperty("forgetting", forgetting);
}

}  // namespace
}  // namespace lbhm
