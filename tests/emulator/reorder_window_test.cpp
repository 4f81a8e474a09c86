#include "emulator/reorder_window.h"

#include <gtest/gtest.h>

namespace lbhm::emulator {
namespace {

TEST(ReorderWindow, IndependentMissesInOneWindowCostAsMuchAsOne) {
  ReorderWindow window(100, 8);
  Waiting waiting;
  for (Picoseconds position : {0, 10, 20, 30}) {
    window.advance(position, waiting);
    window.issue(position, 1000, true, waiting);
  }
  window.drain(30, waiting);
  EXPECT_EQ(30 + waiting.total, 1030u);  // the last one was issued at 30; the others are done by then
  EXPECT_EQ(waiting.memory, waiting.total);
}

TEST(ReorderWindow, TheCoreStopsWhenTheOldestMissIsAWindowOld) {
  ReorderWindow window(100, 8);
  Waiting waiting;
  window.issue(0, 1000, true, waiting);
  window.advance(99, waiting);
  EXPECT_EQ(waiting.total, 0u);
  window.advance(100, waiting);
  EXPECT_EQ(waiting.total, 900u);  // from 100, when the window was full, to 1000
}

TEST(ReorderWindow, AMissThatTheWindowHidesCostsNothing) {
  ReorderWindow window(100, 8);
  Waiting waiting;
  window.issue(0, 80, true, waiting);
  window.advance(500, waiting);
  EXPECT_EQ(waiting.total, 0u);
}

TEST(ReorderWindow, MoreMissesThanFillBuffersWaitForTheOldest) {
  ReorderWindow window(1000, 2);
  Waiting waiting;
  window.issue(0, 500, true, waiting);
  window.issue(0, 500, true, waiting);
  EXPECT_EQ(waiting.total, 0u);
  window.issue(0, 500, true, waiting);
  EXPECT_EQ(waiting.total, 500u);
  window.drain(0, waiting);
  EXPECT_EQ(waiting.total, 1000u);
}

TEST(ReorderWindow, OnlyWaitsForMainMemoryCountAsMemoryWaits) {
  ReorderWindow window(100, 8);
  Waiting waiting;
  window.issue(0, 300, false, waiting);
  window.drain(0, waiting);
  EXPECT_EQ(waiting.total, 300u);
  EXPECT_EQ(waiting.memory, 0u);
}

}  // namespace
}  // namespace lbhm::emulator
