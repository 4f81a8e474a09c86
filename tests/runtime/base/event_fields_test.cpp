// Does what a machine cannot count stay unknown?
#include "runtime/base/event_fields.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

TEST(EventFields, WhatCannotBeCountedIsNotZero) {
  EventCounts begin, end;
  begin.cycles = 100, end.cycles = 150;
  begin.memory_wait_cycles = end.memory_wait_cycles = -1;
  const EventCounts counted = difference(end, begin);
  EXPECT_EQ(counted.cycles, 50);
  EXPECT_EQ(counted.memory_wait_cycles, -1);
}

TEST(EventFields, ASumWithSomethingUnknownIsUnknown) {
  EventCounts sum, known, unknown;
  known.cycles = 100, known.memory_wait_cycles = 7;
  unknown.cycles = 50, unknown.memory_wait_cycles = -1;
  sum += known;
  EXPECT_EQ(sum.memory_wait_cycles, 7);
  sum += unknown;
  sum += known;
  EXPECT_EQ(sum.cycles, 250);
  EXPECT_EQ(sum.memory_wait_cycles, -1);
}

}  // namespace
}  // namespace lbhm
