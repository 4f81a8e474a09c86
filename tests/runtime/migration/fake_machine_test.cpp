// The fake machine keeps the machine contract, so that what passes with it means something.
#include "tests/fake/fake_machine.h"

#include <gtest/gtest.h>

#include "tests/runtime/migration/plans.h"

namespace lbhm {
namespace {

using fake::FakeMachine;

TEST(FakeMachine, MemoryIsZeroedAlignedAndInNoTierUntilTouched) {
  FakeMachine machine({4, 100});
  const auto memory = machine.reserve(Bytes(5000), Bytes(1 << 16));
  ASSERT_TRUE(memory.has_value());
  const auto address = reinterpret_cast<std::uintptr_t>(*memory);
  EXPECT_EQ(address % (1 << 16), 0u);
  EXPECT_EQ(static_cast<char*>(*memory)[4999], 0);
  EXPECT_EQ(machine.tier_of(address), no_tier);
  machine.touch(address, 2);
  EXPECT_EQ(machine.tier_of(address + page_size), fast);
  EXPECT_EQ(machine.room(fast), of_pages(2));
  machine.release(*memory, Bytes(5000));
  EXPECT_EQ(machine.room(fast), of_pages(4));
  EXPECT_EQ(machine.peak_footprint(), of_pages(2));
  machine.refuse_reserve(true);
  EXPECT_EQ(machine.reserve(Bytes(1), Bytes(1)).error().code(), StatusCode::no_memory);
}

TEST(FakeMachine, PreferenceOfThePagesBeatsTheDefaultAndFullTiersArePassedOver) {
  FakeMachine machine({1, 1, 100});
  machine.map(page_at(0), 4);
  const TierId slowest_first[] = {TierId(2)}, second[] = {slow};
  EXPECT_TRUE(machine.prefer_default(slowest_first).ok());
  EXPECT_TRUE(machine.prefer(page_at(0), of_pages(3), second).ok());
  machine.touch(page_at(0), 4);
  EXPECT_EQ(machine.tier_of(page_at(0)), slow);
  EXPECT_EQ(machine.tier_of(page_at(1)), fast);
  EXPECT_EQ(machine.tier_of(page_at(2)), TierId(2));
  EXPECT_EQ(machine.tier_of(page_at(3)), TierId(2));
  const TierId wrong[] = {TierId(9)};
  EXPECT_EQ(machine.prefer(page_at(0), of_pages(1), wrong).code(), StatusCode::invalid_argument);
}

TEST(FakeMachine, AMoveCostsTheSlowerOfReadingAndWritingOrWhatTheTestSays) {
  FakeMachine machine({1, 1, 1});  // reads of 100, 50, 25 and writes of 50, 25, 12.5 bytes a nanosecond
  EXPECT_DOUBLE_EQ(machine.move_time(Bytes(5000), TierId(0), TierId(1)).value, 200);
  EXPECT_DOUBLE_EQ(machine.move_time(Bytes(5000), TierId(2), TierId(0)).value, 200);
  EXPECT_DOUBLE_EQ(machine.move_time(Bytes(5000), TierId(1), TierId(0)).value, 100);
  EXPECT_EQ(machine.move_time(Bytes(5000), TierId(1), TierId(1)), Nanoseconds(0));
  EXPECT_EQ(machine.move_time(Bytes(5000), no_tier, TierId(1)), Nanoseconds(0));
  EXPECT_EQ(machine.move_time(Bytes(5000), TierId(0), TierId(3)), Nanoseconds(0));
  machine.set_copy_bandwidth(BytesPerNanosecond(2));
  EXPECT_DOUBLE_EQ(machine.move_time(Bytes(5000), TierId(2), TierId(0)).value, 2500);
  EXPECT_EQ(machine.move_time(Bytes(5000), TierId(1), TierId(1)), Nanoseconds(0));
}

TEST(FakeMachine, SamplesComeSortedOnceAndMayBeLost) {
  FakeMachine machine({1, 1});
  for (std::uint32_t lane : {2, 0, 1}) {
    AccessSample sample;
    sample.lane = LaneId(lane);
    machine.fake_samples().add(sample);
  }
  machine.fake_samples().lose(1);
  std::vector<AccessSample> out;
  EXPECT_EQ(machine.samples()->drain(out), 1u);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].lane, LaneId(0));
  EXPECT_EQ(out[1].lane, LaneId(2));
  EXPECT_EQ(machine.samples()->drain(out), 0u);
  EXPECT_EQ(out.size(), 2u);
}

TEST(FakeMachine, TheClockIsTheTestsAndTheCallsAreWrittenDown) {
  FakeMachine machine({1, 1});
  Execution& execution = machine.execution();
  const auto team = execution.fork();
  execution.lane_begin(team, LaneId(0), 4);
  execution.wait_begin(Wait::join, nullptr);
  execution.join(team);
  machine.fake_execution().set_clock(Nanoseconds(42));
  EXPECT_EQ(execution.now(), Nanoseconds(42));
  EXPECT_EQ(machine.fake_execution().log(),
            (std::vector<std::string>{"fork", "lane_begin 1 0/4", "wait_begin join", "join 1"}));
}

}  // namespace
}  // namespace lbhm
