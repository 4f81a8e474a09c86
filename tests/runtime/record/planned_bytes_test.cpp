// Does the report say of each object what the plan brings to fast memory?
#include "runtime/record/planned_bytes.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr TierId fast{0}, slow{1};

SlotRange object(std::uintptr_t address, std::uint64_t bytes) {
  return {.slot = ObjectSlot(0), .address = address, .bytes = Bytes(bytes)};
}

TEST(PlannedBytes, BelongToTheObjectThatHoldsThemInWhateverOrder) {
  const std::vector objects = {object(0x9000, 0x2000), object(0x1000, 0x4000)};
  const MigrationPlan plan{
      {{0x3000, Bytes(0x1000), fast}, {0x9000, Bytes(0x2000), fast}, {0x1000, Bytes(0x1000), fast}}};
  EXPECT_EQ(planned_bytes(plan, fast, objects), (std::vector{Bytes(0x2000), Bytes(0x2000)}));
}

TEST(PlannedBytes, WhatGoesElsewhereOrBelongsToNobodyDoesNotCount) {
  const std::vector objects = {object(0x1000, 0x4000)};
  const MigrationPlan plan{{{0x1000, Bytes(0x1000), slow}, {0x5000, Bytes(0x1000), fast}, {0, Bytes(0x1000), fast}}};
  EXPECT_EQ(planned_bytes(plan, fast, objects), std::vector{Bytes(0)});
}

/// Pages are whole, objects need not be.
TEST(PlannedBytes, AMoveAcrossObjectsCountsForEachWithItsOwnPart) {
  const std::vector objects = {object(0x1800, 0x400), object(0x1c00, 0x1000)};
  const MigrationPlan plan{{{0x1000, Bytes(0x1000), fast}}};
  EXPECT_EQ(planned_bytes(plan, fast, objects), (std::vector{Bytes(0x400), Bytes(0x400)}));
}

TEST(PlannedBytes, WithoutObjectsThereIsNothing) {
  EXPECT_TRUE(planned_bytes({{{0x1000, Bytes(0x1000), fast}}}, fast, {}).empty());
}

}  // namespace
}  // namespace lbhm
