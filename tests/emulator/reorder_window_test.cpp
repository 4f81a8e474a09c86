#include "emulator/parts/reorder_window.h"

#include <gtest/gtest.h>

namespace lbhm::emulator {
namespace {

TEST(ReorderWindow, TheCoreStopsWhenTheOldestMissIsAWindowOld) {
  ReorderWindow window(100);
  Waiting waiting;
  window.issue(0, 1000, true, waiting);
  window.advance(99, waiting);
  EXPECT_EQ(waiting.total, 0u);
  window.advance(100, waiting);
  EXPECT_EQ(waiting.total, 900u);  // from 100, when the window was full, to 1000
  EXPECT_EQ(waiting.memory, 900u);
}

TEST(ReorderWindow, AMissThatTheWindowHidesCostsNothing) {
  ReorderWindow window(100);
  Waiting waiting;
  window.issue(0, 80, true, waiting);
  window.advance(500, waiting);
  EXPECT_EQ(waiting.total, 0u);
}

TEST(ReorderWindow, MissesOfOneWindowAreWaitedForTogether) {
  ReorderWindow window(100);
  Waiting waiting;
  for (Picoseconds position : {0, 10, 20, 30}) window.issue(position, position + 1000, true, waiting);
  window.drain(30, waiting);
  EXPECT_EQ(30 + waiting.total, 1030u);  // the last one was issued at 30
}

TEST(ReorderWindow, TheLoadBufferIsFullBeforeALongWindowIs) {
  ReorderWindow window(1'000'000);
  Waiting waiting;
  for (std::uint32_t i = 0; i < ReorderWindow::maximum_loads; ++i) window.issue(0, 2'000'000 + i, true, waiting);
  EXPECT_EQ(waiting.total, 0u);
  window.issue(0, 3'000'000, true, waiting);
  EXPECT_EQ(waiting.total, 2'000'000u) << "the oldest one makes room";
}

TEST(ReorderWindow, OnlyWaitsForMainMemoryCountAsMemoryWaits) {
  ReorderWindow window(100);
  Waiting waiting;
  window.issue(0, 300, false, waiting);
  window.drain(0, waiting);
  EXPECT_EQ(waiting.total, 300u);
  EXPECT_EQ(waiting.memory, 0u);
}

}  // namespace
}  // namespace lbhm::emulator
