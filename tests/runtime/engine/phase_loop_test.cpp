// Does the whole loop help: from a phase's first instance to a plan, its moves and the report?
#include "runtime/engine/phase_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/fake/fake_machine.h"

namespace lbhm::engine {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t object_pages = 16, fast_pages = 16;
const char code = 0, call = 0;

/// The services on a fake machine: 16 pages of fast memory, objects of 16 pages in slow memory, one lane.
class Loop : public testing::Test {
 protected:
  Loop() { loop_.attach(lanes_); }

  std::uintptr_t make_object(const char* name) {
    const Bytes bytes = page_ * object_pages;
    const auto address = reinterpret_cast<std::uintptr_t>(*machine_.reserve(bytes, page_));
    machine_.put(address, object_pages, TierId(1));
    Object object;
    object.address = address;
    object.bytes = bytes;
    object.name = name;
    object.site = site_of_name(name);
    EXPECT_TRUE(objects_.add(object));
    return address;
  }

  PhaseObject listed(std::uintptr_t address) const {
    const Object object = *objects_.find(address);
    return {.address = address, .bytes = object.bytes, .name = object.name, .site = object.site};
  }

  /// A region of one lane that makes `samples` accesses to each page of `used` and takes `time`, most of it waiting.
  void run_region(std::uintptr_t used, int samples, Nanoseconds time) {
    RegionInstance* const region = lanes_.region_begin(&code);
    lanes_.lane_begin(region, LaneId(0), 1);
    clock_ += time;
    machine_.fake_execution().set_clock(clock_);
    const double cycles = time.value * machine_.topology().cycles_per_nanosecond;
    events_.cycles += cycles;
    events_.instructions += cycles / 2;
    events_.memory_wait_cycles += 0.9 * cycles;
    machine_.set_events(events_);
    for (std::uint64_t page = 0; page < object_pages; ++page) {
      const std::uintptr_t address = used + page * page_.value;
      const TierId tier = machine_.tier_of(address);
      for (int i = 0; i < samples; ++i)
        machine_.fake_samples().add(
            {.address = address, .lane = LaneId(0), .tier = tier, .latency = Nanoseconds(200), .time = clock_});
    }
    lanes_.lane_end();
    lanes_.region_end();
  }

  Json report() {
    RunSummary run;
    run.machine = "fake";
    run.remarks = loop_.remarks();
    const auto text = loop_.report(run);
    EXPECT_TRUE(text.has_value());
    return text ? Json::parse(*text) : Json();
  }

  std::uint64_t fast_pages_of(std::uintptr_t object) {
    std::uint64_t fast = 0;
    for (std::uint64_t page = 0; page < object_pages; ++page)
      fast += machine_.tier_of(object + page * page_.value) == TierId(0) ? 1 : 0;
    return fast;
  }

  fake::FakeMachine machine_{{fast_pages, 1000}};
  Bytes page_ = machine_.topology().page;
  Nanoseconds clock_{1000};
  EventCounts events_;
  std::unique_ptr<Policy> policy_ = *make_policy("merchandiser");
  Needs needs_ = policy_->needs(machine_.topology());
  ObjectRegistry objects_;
  SampleFeed samples_{machine_};
  Knowledge knowledge_{machine_.topology(), {}};
  Recorder recorder_{true, false};
  Actor actor_{machine_, needs_.first_touch, std::nullopt};
  PhaseLoop loop_{{machine_, *policy_, objects_, samples_, knowledge_, recorder_, actor_},
                  {.needs = needs_, .placing = true, .model = "analytic"}};
  PageIntervals intervals_{machine_.execution(), nullptr};
  Lanes lanes_{machine_, {.machine_counts = true, .stretches = true}, intervals_, loop_};
};

TEST_F(Loop, GivesFastMemoryToWhatTheBaseInstanceUsed) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  const std::vector list{listed(used), listed(idle)};
  ASSERT_NE(loop_.begin(&call, list), nullptr);
  run_region(used, 100, Nanoseconds(1e6));
  EXPECT_EQ(fast_pages_of(used), 0u) << "nothing is known before the base instance has ended";
  ASSERT_NE(loop_.begin(&call, list), nullptr);
  EXPECT_EQ(fast_pages_of(used), object_pages);
  EXPECT_EQ(fast_pages_of(idle), 0u);
  run_region(used, 100, Nanoseconds(5e5));

  const Json report = this->report();
  ASSERT_EQ(report["plans"].size(), 1u);
  const Json& plan = report["plans"][0];
  EXPECT_EQ(plan["instance"], 1);
  EXPECT_EQ(plan["moved_bytes"], object_pages * page_.value);
  EXPECT_EQ(plan["objects"][0]["name"], "used");
  EXPECT_EQ(plan["objects"][0]["planned_fast_bytes"], object_pages * page_.value);
  EXPECT_GT(plan["objects"][0]["counted_accesses"].get<double>(), 0);
  ASSERT_EQ(report["regions"].size(), 2u);
  EXPECT_TRUE(report["regions"][0]["tasks"][0]["predicted_ns"].is_null());
  EXPECT_GT(report["regions"][1]["tasks"][0]["predicted_ns"].get<double>(), 0);
  EXPECT_EQ(report["migrated_bytes"], object_pages * page_.value);
}

TEST_F(Loop, KnowsObjectsAgainWhateverTheirOrderAndAddress) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  loop_.begin(&call, std::vector{listed(used), listed(idle)});
  run_region(used, 100, Nanoseconds(1e6));
  objects_.remove(used);
  const std::uintptr_t moved = make_object("used");
  loop_.begin(&call, std::vector{listed(idle), listed(moved)});
  EXPECT_EQ(fast_pages_of(moved), object_pages);
  EXPECT_EQ(fast_pages_of(idle), 0u);
}

TEST_F(Loop, AnObjectThatIsNotListedIsNotMoved) {
  const std::uintptr_t used = make_object("used"), idle = make_object("idle");
  loop_.begin(&call, std::vector{listed(used), listed(idle)});
  run_region(used, 100, Nanoseconds(1e6));
  loop_.begin(&call, std::vector{listed(idle)});
  EXPECT_EQ(fast_pages_of(used), 0u);
  run_region(idle, 1, Nanoseconds(1e5));
  loop_.begin(&call, std::vector{listed(idle), listed(used)});
  EXPECT_EQ(fast_pages_of(used), object_pages) << "what was known of it is not forgotten";
}

TEST_F(Loop, AnInstanceThatIsForgottenTeachesNothing) {
  const std::uintptr_t used = make_object("used");
  loop_.begin(&call, std::vector{listed(used)});
  run_region(used, 100, Nanoseconds(1e6));
  loop_.forget();
  loop_.begin(&call, std::vector{listed(used)});
  EXPECT_EQ(fast_pages_of(used), 0u);
}

TEST_F(Loop, RegionsAfterTheEndAreNotRecorded) {
  const std::uintptr_t used = make_object("used");
  run_region(used, 1, Nanoseconds(1e5));
  loop_.finish();
  run_region(used, 1, Nanoseconds(1e5));
  EXPECT_EQ(report()["regions"].size(), 1u);
}

TEST_F(Loop, SaysWhyNothingWasPlanned) {
  EXPECT_THAT(loop_.remarks(), testing::Contains(testing::HasSubstr("never called LB_HM_config")));
}

}  // namespace
}  // namespace lbhm::engine
