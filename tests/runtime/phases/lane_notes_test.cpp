// Are loops that a lane begins tied to the right objects?
#include "runtime/phases/lane_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lbhm {
namespace {

SlotRange range(std::uint32_t slot, std::uintptr_t address, std::uint64_t bytes) {
  return {.slot = ObjectSlot(slot), .address = address, .bytes = Bytes(bytes)};
}

TEST(SlotIndex, FindsTheObjectThatHoldsAnAddress) {
  const std::vector<SlotRange> ranges{range(0, 0x9000, 0x100), range(1, 0x1000, 0x1000)};
  const SlotIndex index(ranges);
  EXPECT_EQ(index.find(0x1000), ObjectSlot(1));
  EXPECT_EQ(index.find(0x1fff), ObjectSlot(1));
  EXPECT_EQ(index.find(0x2000), std::nullopt);
  EXPECT_EQ(index.find(0xfff), std::nullopt);
  EXPECT_EQ(index.find(0x90ff), ObjectSlot(0));
  EXPECT_EQ(SlotIndex({}).find(0x1000), std::nullopt);
}

TEST(LaneNotes, CountsEachLoopAtEachObject) {
  LaneNotes notes;
  for (int i = 0; i < 5; ++i) notes.add(7, ObjectSlot(0));
  notes.add(7, ObjectSlot(1));
  std::vector<NotedBase> sum{{.base = 7, .slot = ObjectSlot(1), .times = 10}};
  notes.move_to(sum);
  ASSERT_EQ(sum.size(), 2U);
  EXPECT_EQ(sum[0].times, 11U) << "added to what was there";
  EXPECT_EQ(sum[1].times, 5U);
  notes.move_to(sum);
  EXPECT_EQ(sum[1].times, 5U) << "forgotten after it was moved";
}

TEST(LaneNotes, DropsWhatDoesNotFit) {
  LaneNotes notes;
  for (std::uint64_t base = 0; base < 3 * LaneNotes::capacity; ++base) notes.add(base, ObjectSlot(0));
  std::vector<NotedBase> sum;
  notes.move_to(sum);
  EXPECT_EQ(sum.size(), LaneNotes::capacity - 1);
}

}  // namespace
}  // namespace lbhm
