// Does a machine that cannot count an event still say so after counts were subtracted and added up?
#include "runtime/engine/event_fields.h"

#include <gtest/gtest.h>

namespace lbhm::engine {
namespace {

TEST(EventFields, WhatIsMissingStaysMissing) {
  EventCounts begin, end;
  begin.cycles = 100;
  end.cycles = 250;
  begin.memory_wait_cycles = end.memory_wait_cycles = -1;
  EventCounts sum = difference(end, begin);
  EXPECT_EQ(sum.cycles, 150);
  EXPECT_EQ(sum.memory_wait_cycles, -1);
  EventCounts more;
  more.cycles = 1;
  more.memory_wait_cycles = 5;
  sum += more;
  EXPECT_EQ(sum.cycles, 151);
  EXPECT_EQ(sum.memory_wait_cycles, -1);
  EXPECT_EQ((more += sum).memory_wait_cycles, -1);
}

}  // namespace
}  // namespace lbhm::engine
