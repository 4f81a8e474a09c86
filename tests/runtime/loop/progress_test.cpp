// Can a policy that acts at intervals know which region is under way, and how far it is?
#include <gtest/gtest.h>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

class Progress : public testing::Test, protected FakeLoop {
 protected:
  Progress() : FakeLoop({16, 1000}) {}
  void pass_barrier() {
    lanes.wait_begin(Wait::barrier, nullptr);
    lanes.wait_end(Wait::barrier, nullptr);
  }
  Lanes lanes{machine, {.progress = true}, intervals, loop};
  static constexpr char first = 0, second = 0;
};

TEST_F(Progress, IsTheRunningRegionAndTheBarriersThatItsFirstLanePassed) {
  EXPECT_FALSE(lanes.running());
  RegionInstance* region = lanes.region_begin(&first);
  EXPECT_EQ(lanes.running(), (RunningRegion{0, 0}));
  lanes.lane_begin(region, LaneId(0), 1);
  pass_barrier();
  pass_barrier();
  EXPECT_EQ(lanes.running(), (RunningRegion{0, 2}));
  lanes.lane_end();
  lanes.region_end();
  EXPECT_FALSE(lanes.running());
  region = lanes.region_begin(&second);
  EXPECT_EQ(lanes.running(), (RunningRegion{1, 0})) << "another construct";
  lanes.lane_begin(region, LaneId(0), 1);
  lanes.lane_end();
  lanes.region_end();
}

TEST_F(Progress, IsNotToldWhereNobodyAsked) {
  RegionInstance* const region = FakeLoop::lanes.region_begin(&first);
  EXPECT_FALSE(FakeLoop::lanes.running());
  FakeLoop::lanes.lane_begin(region, LaneId(0), 1);
  FakeLoop::lanes.lane_end();
  FakeLoop::lanes.region_end();
}

}  // namespace
}  // namespace lbhm
