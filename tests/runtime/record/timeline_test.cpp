// Does the timeline say where objects lie, and does it keep few looks however long a run is?
#include "runtime/record/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runtime/record/report_json.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

struct Looking {
  fake::FakeMachine machine{{1u << 20, 1u << 20}};
  Bytes page = machine.topology().page;
  ObjectRegistry objects;
  Bytes moved;
  SampleFeed samples{machine};
  Timeline timeline{machine, objects, samples, [this] { return moved; }};
  std::uintptr_t next = 1u << 30;

  /// Pages of a new object in the fast and in the slow tier, in this order.
  std::uintptr_t add(const char* name, std::uint64_t fast, std::uint64_t slow) {
    const std::uintptr_t address = next;
    next += (fast + slow + 1) * page.value;
    machine.put(address, fast, TierId(0));
    machine.put(address + fast * page.value, slow, TierId(1));
    Object object;
    object.address = address;
    object.bytes = page * (fast + slow);
    object.name = name;
    object.site = site_of_name("site");
    EXPECT_TRUE(objects.add(object));
    return address;
  }
  /// Another reader.
  void come_for_samples() {
    std::vector<AccessSample> read;
    samples.read(SampleFeed::Reader::intervals, read);
  }
  void look_at(double time) {
    machine.fake_execution().set_clock(Nanoseconds(time));
    timeline.look();
  }
  Bytes lies(std::size_t row, std::size_t tier) const { return timeline.moments().back().lies[row * 2 + tier]; }
};

TEST(Timeline, SaysWhereObjectsOfANameLie) {
  Looking with;
  with.add("a", 3, 5);
  with.add("a", 1, 0);
  with.add("b", 0, 2);
  with.look_at(10);
  EXPECT_THAT(with.timeline.rows(), SizeIs(2));
  EXPECT_EQ(with.lies(0, 0), with.page * 4);
  EXPECT_EQ(with.lies(0, 1), with.page * 5);
  EXPECT_EQ(with.lies(1, 1), with.page * 2);
  EXPECT_EQ(with.timeline.rows()[0].objects, 2u);
  EXPECT_EQ(with.timeline.rows()[0].bytes, with.page * 9);
}

TEST(Timeline, SaysWhoseAccessesAreFast) {
  Looking with;
  with.add("a", 1, 1);
  const auto sample = [&](std::uint32_t lane, std::uint8_t tier) {
    AccessSample one;
    one.lane = LaneId(lane), one.tier = TierId(tier);
    with.machine.fake_samples().add(one);
  };
  sample(0, 0), sample(2, 0), sample(2, 1), sample(2, 1);
  sample(Timeline::most_lanes, 0);
  with.come_for_samples();
  with.look_at(10);
  sample(0, 1);
  with.come_for_samples();
  sample(0, 1);
  with.look_at(20);
  const nlohmann::json lanes = record::timeline_json(&with.timeline)["lanes"];
  EXPECT_EQ(lanes, nlohmann::json::parse(R"([{"lane": 0, "tiers_samples": [[1.0, 1.0], [0.0, 1.0]]},
                                            {"lane": 2, "tiers_samples": [[1.0, 1.0], [2.0, 2.0]]}])"));
}

TEST(Timeline, AnArenaIsAsLargeAsWhatIsUsedOfIt) {
  Looking with;
  Object arena;
  arena.address = with.next + (1u << 24);
  arena.bytes = with.page * 64;
  arena.name = "arena";
  ASSERT_TRUE(with.objects.add(arena));
  with.machine.put(arena.address, 2, TierId(1));
  with.look_at(10);
  EXPECT_EQ(with.timeline.rows()[0].bytes, with.page * 2);
}

TEST(Timeline, ObjectsWithoutANameAreARowASite) {
  Looking with;
  with.add("", 1, 0);
  with.add("", 1, 0);
  with.look_at(10);
  ASSERT_THAT(with.timeline.rows(), SizeIs(1));
  EXPECT_EQ(with.timeline.rows()[0].site, site_of_name("site"));
}

TEST(Timeline, FreedObjectsLieNowhere) {
  Looking with;
  const std::uintptr_t address = with.add("a", 4, 0);
  with.look_at(10);
  with.objects.remove(address);
  with.look_at(20);
  EXPECT_EQ(with.lies(0, 0), Bytes(0));
  EXPECT_EQ(with.timeline.rows()[0].bytes, with.page * 4);
}

TEST(Timeline, OfALargeObjectAFewPagesTellWhereItLies) {
  Looking with;
  with.add("large", 30'000, 70'000);
  with.look_at(10);
  EXPECT_NEAR(static_cast<double>(with.lies(0, 0).value) / (with.page * 100'000).value, 0.3, 0.02);
}

TEST(Timeline, OfAnObjectThatIsHardlyTouchedItLooksAtThatPart) {
  Looking with;
  Object object;
  object.address = with.add("sparse", 40, 60);
  object.bytes = with.page * 1'000'000;
  object.name = "sparse";
  with.objects.remove(object.address);
  ASSERT_TRUE(with.objects.add(object));
  with.look_at(10);
  EXPECT_EQ(with.lies(0, 0), with.page * 40);
  EXPECT_EQ(with.lies(0, 1), with.page * 60);
  EXPECT_EQ(with.timeline.rows()[0].bytes, with.page * 100);
}

TEST(Timeline, KeepsFewLooksEvenlySpreadOverALongRun) {
  Looking with;
  for (int i = 1; i <= 100'000; ++i) {
    with.moved = Bytes(static_cast<std::uint64_t>(i));
    with.look_at(100 * i);
  }
  const auto& moments = with.timeline.moments();
  ASSERT_GE(moments.size(), Timeline::most_moments);
  ASSERT_LT(moments.size(), 2 * Timeline::most_moments);
  EXPECT_GT(moments.back().time.value, 100 * 100'000 * 0.98) << "the end of the run is in it";
  EXPECT_EQ(moments.back().moved.value, static_cast<std::uint64_t>(moments.back().time.value / 100));
  double longest = 0;
  for (std::size_t i = 1; i < moments.size(); ++i)
    longest = std::max(longest, (moments[i].time - moments[i - 1].time).value);
  EXPECT_LT(longest, 100 * 100'000 * 4.0 / Timeline::most_moments);
}

TEST(Timeline, HasAHundredRowsAndMoreAndSaysThatItLeftSomeOut) {
  Looking with;
  for (std::size_t i = 0; i < Timeline::most_rows; ++i) with.add(("object " + std::to_string(i)).c_str(), 1, 0);
  with.look_at(10);
  EXPECT_FALSE(with.timeline.left_out());
  with.add("one more", 1, 0);
  with.look_at(20);
  EXPECT_TRUE(with.timeline.left_out());
  EXPECT_THAT(with.timeline.rows(), SizeIs(Timeline::most_rows));
}

TEST(TimelineJson, HasALineATier) {
  Looking with;
  with.add("a", 3, 5);
  with.look_at(10);
  with.add("b", 2, 0);
  with.look_at(20);
  const record::Json json = record::timeline_json(&with.timeline);
  const std::uint64_t page = with.page.value;
  EXPECT_THAT(json["times_ns"], ElementsAre(10, 20));
  EXPECT_EQ(json["objects"][0]["tiers_bytes"], record::Json({{3 * page, 3 * page}, {5 * page, 5 * page}}));
  EXPECT_EQ(json["objects"][1]["tiers_bytes"], record::Json({{0, 2 * page}, {0, 0}})) << "it came later";
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(record::timeline_json(nullptr), nullptr);
}

}  // namespace
}  // namespace lbhm
