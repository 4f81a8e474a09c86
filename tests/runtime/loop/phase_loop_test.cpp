// Does the whole loop help: from a phase's first instance to a plan, its moves and the report?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t object_pages = 16, fast_pages = 16;
const char call = 0;

/// 16 pages of fast memory, objects of 16 pages in slow memory.
class Loop : public testing::Test, protected FakeLoop {
 protected:
  Loop() : FakeLoop({fast_pages, 1000}) {}

  std::uintptr_t make_object(const char* name) { return FakeLoop::make_object(name, object_pages); }

  Json report() {
    RunSummary run;
    run.machine = "fake";
    run.remarks = loop.remarks();
    return Json::parse(loop.report(run));
  }

  std::uint64_t fast_pages_of(std::uintptr_t object) {
    std::uint64_t fast = 0;
    for (std::uint64_t number = 0; number < object_pages; ++number)
      fast += machine.tier_of(object + number * page.value) == TierId(0) ? 1 : 0;
    return fast;
  }
};

TEST_F(Loop, GivesFastMemoryToWhatTheBaseInstanceUsed) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  const std::vector list{listed(used), listed(idle)};
  ASSERT_NE(loop.begin(&call, list), nullptr);
  run_region(used, 100, Nanoseconds(1e6));
  EXPECT_EQ(fast_pages_of(used), 0u) << "nothing is known before the base instance has ended";
  ASSERT_NE(loop.begin(&call, list), nullptr);
  EXPECT_EQ(fast_pages_of(used), object_pages);
  EXPECT_EQ(fast_pages_of(idle), 0u);
  run_region(used, 100, Nanoseconds(5e5));

  const Json report = this->report();
  ASSERT_EQ(report["plans"].size(), 1u);
  const Json& plan = report["plans"][0];
  EXPECT_EQ(plan["instance"], 1);
  EXPECT_EQ(plan["moved_bytes"], object_pages * page.value);
  EXPECT_EQ(plan["objects"][0]["name"], "used");
  EXPECT_EQ(plan["objects"][0]["planned_fast_bytes"], object_pages * page.value);
  EXPECT_GT(plan["objects"][0]["counted_accesses"].get<double>(), 0);
  ASSERT_EQ(report["regions"].size(), 2u);
  EXPECT_TRUE(report["regions"][0]["tasks"][0]["predicted_ns"].is_null());
  EXPECT_GT(report["regions"][1]["tasks"][0]["predicted_ns"].get<double>(), 0);
  EXPECT_EQ(report["prediction"]["explained_tasks"], 1);
  EXPECT_EQ(report["migrated_bytes"], object_pages * page.value);
}

TEST_F(Loop, AnObjectSmallerThanAPageHasAlphaOneWhereItStaysAsItIs) {
  const std::uintptr_t used = make_object("used");
  PhaseObject small = listed(used);
  small.bytes = Bytes(64);
  for (int instance = 0; instance < 2; ++instance) {
    loop.begin(&call, std::vector{small});
    run_region(used, 100, Nanoseconds(1e6));
  }
  EXPECT_DOUBLE_EQ(report()["plans"][0]["objects"][0]["alpha"].get<double>(), 1);
}

TEST_F(Loop, NothingIsSampledUntilThereIsSomethingToPlace) {
  EXPECT_EQ(machine.fake_samples().period(), AccessCount(0));
  loop.begin(&call, std::vector{listed(make_object("used"))});
  EXPECT_EQ(machine.fake_samples().period(), AccessCount(1));
}

TEST_F(Loop, KnowsObjectsAgainWhateverTheirOrderAndAddress) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  loop.begin(&call, std::vector{listed(used), listed(idle)});
  run_region(used, 100, Nanoseconds(1e6));
  objects.remove(used);
  const std::uintptr_t moved = make_object("used");
  loop.begin(&call, std::vector{listed(idle), listed(moved)});
  EXPECT_EQ(fast_pages_of(moved), object_pages);
  EXPECT_EQ(fast_pages_of(idle), 0u);
}

TEST_F(Loop, AnObjectThatIsNotListedIsNotMoved) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  loop.begin(&call, std::vector{listed(used), listed(idle)});
  run_region(used, 100, Nanoseconds(1e6));
  loop.begin(&call, std::vector{listed(idle)});
  EXPECT_EQ(fast_pages_of(used), 0u);
  run_region(idle, 1, Nanoseconds(1e5));
  loop.begin(&call, std::vector{listed(idle), listed(used)});
  EXPECT_EQ(fast_pages_of(used), object_pages) << "what was known of it is not forgotten";
}

TEST_F(Loop, ALaneMayLookUpItsObjectsThoughAnotherThreadBeginsThePhaseAgain) {
  const std::uintptr_t used = make_object("used"), other = make_object("other");
  loop.begin(&call, std::vector{listed(used)});
  RegionInstance* const region = lanes.region_begin(&call);
  lanes.lane_begin(region, LaneId(0), 1);
  std::thread([&] { loop.begin(&call, std::vector{listed(other)}); }).join();
  EXPECT_EQ(current_lane->noting->find(used), ObjectSlot(0));
  lanes.lane_end();
  lanes.region_end();
}

TEST_F(Loop, AnInstanceThatIsForgottenTeachesNothing) {
  const std::uintptr_t used = make_object("used");
  loop.begin(&call, std::vector{listed(used)});
  run_region(used, 100, Nanoseconds(1e6));
  loop.forget();
  loop.begin(&call, std::vector{listed(used)});
  EXPECT_EQ(fast_pages_of(used), 0u);
}

TEST_F(Loop, PlansForProgramsThatNameNoPhase) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  run_region(used, 100, Nanoseconds(1e6));
  EXPECT_EQ(fast_pages_of(used), 0u);
  run_region(used, 100, Nanoseconds(1e6));
  EXPECT_EQ(fast_pages_of(used), object_pages);
  EXPECT_EQ(fast_pages_of(idle), 0u);
  EXPECT_EQ(report()["plans"].size(), 1u);
}

TEST_F(Loop, PhasesThatTheProgramNamesAreTheOnlyOnes) {
  const std::uintptr_t used = make_object("used");
  const std::vector list{listed(used)};
  ASSERT_NE(loop.begin(&call, list), nullptr);
  for (int region = 0; region < 3; ++region) run_region(used, 100, Nanoseconds(1e6));
  EXPECT_EQ(report()["plans"].size(), 0u) << "its only instance has not ended";
}

TEST_F(Loop, RegionsAfterTheEndAreNotRecorded) {
  const std::uintptr_t used = make_object("used");
  run_region(used, 1, Nanoseconds(1e5));
  loop.finish();
  run_region(used, 1, Nanoseconds(1e5));
  EXPECT_EQ(report()["regions"].size(), 1u);
}

TEST_F(Loop, SaysWhyNothingWasPlanned) {
  EXPECT_THAT(loop.remarks(), testing::Contains(testing::HasSubstr("no phase began")));
  const std::uintptr_t used = make_object("used");
  loop.begin(&call, std::vector{listed(used)});
  EXPECT_THAT(loop.remarks(), testing::Contains(testing::HasSubstr("every phase came once")));
}

TEST_F(Loop, SaysThatMemoryOfOthersStaysWhereItIsUnlessItIsTooSmallToBePlaced) {
  const auto remark = testing::HasSubstr("was not allocated by LB-HM");
  std::vector list{listed(make_object("used"))};
  list.push_back({.address = 0x1000, .bytes = page - Bytes(1), .name = "small", .managed = false});
  loop.begin(&call, list);
  EXPECT_THAT(loop.remarks(), testing::Not(testing::Contains(remark)));
  list.push_back({.address = 0x4000, .bytes = page, .name = "large", .managed = false});
  loop.begin(&call, list);
  EXPECT_THAT(loop.remarks(), testing::Contains(testing::AllOf(remark, testing::HasSubstr("object 'large'"))));
}

}  // namespace
}  // namespace lbhm
