#include "emulator/fill_buffers.h"

#include <gtest/gtest.h>

#include "emulator/write_buffer.h"

namespace lbhm::emulator {
namespace {

TEST(FillBuffers, ALineWaitsForTheBufferThatComesFreeFirst) {
  FillBuffers buffers(2);
  EXPECT_EQ(buffers.take(0, 0, 300), 300u);
  EXPECT_EQ(buffers.take(0, 0, 100), 100u);
  EXPECT_EQ(buffers.take(0, 0, 100), 200u) << "behind the short one";
  EXPECT_EQ(buffers.take(0, 0, 100), 300u);
  EXPECT_EQ(buffers.take(500, 500, 100), 600u);
}

TEST(FillBuffers, AChainHoldsOneBufferAndLeavesTheOthers) {
  FillBuffers buffers(3);
  Picoseconds done = buffers.take(0, 0, 100);
  for (int i = 0; i < 9; ++i) done = buffers.take(0, done, 100);
  EXPECT_EQ(done, 1000u);
  EXPECT_EQ(buffers.take(0, 0, 100), 100u);
  EXPECT_EQ(buffers.take(0, 0, 100), 100u);
  EXPECT_EQ(buffers.take(0, 0, 100), 200u);
}

TEST(FillBuffers, ALineThatWasAskedForAheadComesWhetherABufferIsFreeOrNot) {
  FillBuffers buffers(1);
  EXPECT_EQ(buffers.first_free(), 0u);
  EXPECT_EQ(buffers.take(0, 0, 10, 300), 300u) << "the buffer is held until then";
  EXPECT_EQ(buffers.first_free(), 300u);
  EXPECT_EQ(buffers.take(0, 0, 10, 305), 310u) << "from the second level when the buffer is free";
  EXPECT_EQ(buffers.take(0, 0, 10, 400), 400u);
}

TEST(WriteBuffer, OnlyAFullBufferMakesTheCoreWait) {
  WriteBuffer buffer(2);
  Waiting waiting;
  for (const Picoseconds done : {400, 300}) {
    buffer.make_room(0, waiting);
    buffer.add(done, true);
  }
  EXPECT_EQ(waiting.total, 0u);
  buffer.make_room(100, waiting);
  EXPECT_EQ(waiting.total, 300u) << "from 100 to 400: stores leave in order";
  EXPECT_EQ(waiting.memory, 300u);
  buffer.add(900, false);
  buffer.make_room(100, waiting);
  EXPECT_EQ(waiting.total, 300u) << "the second one had its line since 300";
}

}  // namespace
}  // namespace lbhm::emulator
