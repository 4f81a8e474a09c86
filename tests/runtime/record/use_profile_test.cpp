// Are samples counted for the object that was there, in the phase in which they were taken?
#include "runtime/record/use_profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runtime/sampling/sample_feed.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

using Json = nlohmann::json;

class UseProfileTest : public ::testing::Test {
 protected:
  UseProfileTest() : machine({4, 4}), feed(machine), profile(machine, feed) { machine.offer_touches(AccessCount(100)); }

  void at(double time) { machine.fake_execution().set_clock(Nanoseconds(time)); }
  void touch(std::uintptr_t address, double time, bool write = false, ServedBy by = ServedBy::l1, double latency = 1,
             std::uint32_t lane = 0) {
    const bool memory = by == ServedBy::memory || by == ServedBy::prefetcher;
    machine.fake_touches().add({.address = address,
                                .lane = LaneId(lane),
                                .tier = memory ? TierId(1) : no_tier,
                                .by = by,
                                .write = write,
                                .latency = Nanoseconds(latency),
                                .time = Nanoseconds(time)});
  }
  /// The first columns of the rows: phase, loads, stores, hits, prefetched.
  static Json counts(const Json& rows) {
    Json found = Json::array();
    for (const Json& row : rows) found.push_back(Json(row.begin(), row.begin() + 5));
    return found;
  }
  Object object(std::uintptr_t address, std::uint64_t nth) {
    return {.id = {}, .address = address, .bytes = Bytes(4096), .name = "a", .site = SiteId{0xa1}, .nth = nth};
  }
  Json found() { return Json::parse(profile.json()); }

  fake::FakeMachine machine;
  SampleFeed feed;
  UseProfile profile;
};

TEST_F(UseProfileTest, LoadsStoresAndHitsAreCountedByPhase) {
  profile.born(object(0x10000, 0));
  touch(0x10000, 1);
  touch(0x10fff, 2, true, ServedBy::memory);
  touch(0x11000, 3);  // behind its end
  at(10);
  profile.phase_begins("solve");
  touch(0x10040, 11, false, ServedBy::memory);
  touch(0x10040, 12, false, ServedBy::prefetcher, 0);
  at(20);
  const Json json = found();
  EXPECT_EQ(counts(json["objects"][0]["uses"]), Json::parse("[[0, 1, 1, 1, 0], [1, 2, 0, 1, 1]]"));
  EXPECT_EQ(counts(json["elsewhere"]), Json::parse("[[0, 1, 0, 1, 0]]"));
  EXPECT_EQ(json["phases"][1]["name"], "solve");
  EXPECT_EQ(json["phases"][1]["begin_ns"], 10);
  EXPECT_EQ(json["period"], 100);
  EXPECT_EQ(json["objects"][0]["dies_ns"], 20) << "it is never freed";
  EXPECT_EQ(json["objects"][0]["last_phase"], 1);
}

TEST_F(UseProfileTest, AnAddressThatIsUsedAgainIsEachObjectsOwn) {
  profile.born(object(0x10000, 0));
  touch(0x10010, 5);
  at(10);
  profile.died(0x10000);
  at(12);
  profile.born(object(0x10000, 1));
  touch(0x10010, 15);
  touch(0x10010, 16);
  at(20);
  const Json json = found();
  EXPECT_EQ(counts(json["objects"][0]["uses"]), Json::parse("[[0, 1, 0, 1, 0]]"));
  EXPECT_EQ(json["objects"][0]["dies_ns"], 10);
  EXPECT_EQ(json["objects"][1]["born_ns"], 12);
  EXPECT_EQ(counts(json["objects"][1]["uses"]), Json::parse("[[0, 2, 0, 2, 0]]"));
}

TEST_F(UseProfileTest, AUseHasItsTimeItsLanesAndWhatEachLevelTook) {
  profile.born(object(0x10000, 0));
  touch(0x10000, 7, false, ServedBy::memory, 300, 0);
  touch(0x10040, 5, false, ServedBy::memory, 200, 1);
  touch(0x10080, 6, true, ServedBy::memory, 900, 1);  // nobody waits for a store
  touch(0x10080, 9, false, ServedBy::l2, 4, 1);
  at(10);
  const Json json = found();
  EXPECT_EQ(json["levels"], (Json{"l1", "l2", "llc", "prefetcher", "memory"}));
  const Json row = json["objects"][0]["uses"][0];
  EXPECT_EQ(row[5], 5) << "samples come by lane, not by time";
  EXPECT_EQ(row[6], 9);
  EXPECT_EQ(row[7], 3) << "of lane 1";
  EXPECT_EQ(row[8], Json::parse("[[0, 0.0], [1, 4.0], [0, 0.0], [0, 0.0], [3, 250.0]]"));
  ASSERT_EQ(row[9].size(), 2u);
  EXPECT_EQ(counts(row[9]), Json::parse("[[0, 1, 0, 0, 0], [1, 2, 1, 1, 0]]")) << "by lane";
  EXPECT_EQ(row[9][1][5], 5);
  EXPECT_EQ(row[9][1][6], 9);
  EXPECT_EQ(row[9][0][7], Json::parse("[[0, 0.0], [0, 0.0], [0, 0.0], [0, 0.0], [1, 300.0]]"));
}

TEST_F(UseProfileTest, WhatTheMachineLostIsSaid) {
  touch(0x10000, 1);
  touch(0x10000, 2);
  machine.fake_touches().lose(1);
  EXPECT_EQ(found()["lost_samples"], 1);
}

TEST_F(UseProfileTest, TouchesAreTheSource) { EXPECT_EQ(found()["source"], "touches"); }

TEST_F(UseProfileTest, NamesOfAnyBytesAreWrittenAsText) {
  profile.phase_begins("\xff\x00");
  EXPECT_TRUE(found()["phases"][1]["name"].is_string());
}

TEST(UseProfileWithoutTouches, LifetimesAreKnownAllTheSame) {
  fake::FakeMachine machine({4});
  SampleFeed feed(machine);
  UseProfile profile(machine, feed);
  profile.died(0x5000);  // nobody's
  const Json json = Json::parse(profile.json());
  EXPECT_TRUE(json["objects"].empty());
}

TEST(UseProfileWithoutTouches, MissesAreWhatTheMachineSamples) {
  fake::FakeMachine machine({4, 4});
  SampleFeed feed(machine);
  UseProfile profile(machine, feed);
  profile.born({.id = {}, .address = 0x10000, .bytes = Bytes(4096), .name = "a", .site = SiteId{0xa1}});
  for (const TierId tier : {TierId(0), no_tier})
    machine.fake_samples().add(
        {.address = 0x10040, .lane = LaneId(0), .tier = tier, .write = tier == no_tier, .latency = {}, .time = {}});
  std::vector<AccessSample> others;
  feed.read(SampleFeed::Reader::phases, others);  // who comes first takes nothing away
  profile.drain();
  const Json json = Json::parse(profile.json());
  EXPECT_EQ(json["source"], "misses");
  const Json row = json["objects"][0]["uses"][0];
  EXPECT_EQ(Json(row.begin(), row.begin() + 5), (Json{0, 1, 1, 0, 0})) << "what caches served is not known";
  EXPECT_EQ(row[8][4][0], 2) << "memory had them";
}

TEST(UseProfileWithoutTouches, OfPagesNobodyKnowsWhoHadThem) {
  fake::FakeMachine machine({4, 4});
  machine.fake_samples().be_of(SampleOf::pages);
  SampleFeed feed(machine);
  UseProfile profile(machine, feed);
  machine.fake_samples().add({.address = 0x10040, .lane = LaneId(0), .tier = TierId(0), .latency = {}, .time = {}});
  const Json row = Json::parse(profile.json())["elsewhere"][0];
  EXPECT_EQ(row[1], 1);
  EXPECT_EQ(row[8], Json::parse("[[0, 0.0], [0, 0.0], [0, 0.0], [0, 0.0], [0, 0.0]]"));
}

}  // namespace
}  // namespace lbhm
