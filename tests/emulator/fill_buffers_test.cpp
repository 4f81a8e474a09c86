#include "emulator/parts/fill_buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "emulator/parts/reorder_window.h"

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

/// The same in a plain way: a sorted list, from which one time goes and to which another comes.
class PlainBuffers {
 public:
  explicit PlainBuffers(std::uint32_t count) : free_at_(count, 0) {}
  Picoseconds take(Picoseconds now, Picoseconds ready, Picoseconds latency, Picoseconds arrival) {
    auto taken = free_at_.begin();
    if (ready > now) {
      const auto later = std::upper_bound(free_at_.begin(), free_at_.end(), ready);
      if (later != free_at_.begin()) taken = later - 1;
    }
    const Picoseconds done = std::max(std::max(ready, *taken) + latency, arrival);
    free_at_.erase(taken);
    free_at_.insert(std::upper_bound(free_at_.begin(), free_at_.end(), done), done);
    return done;
  }
  Picoseconds first_free() const { return free_at_.front(); }

 private:
  std::vector<Picoseconds> free_at_;
};

// Counts around whole groups of eight, and the most that there can be.
TEST(FillBuffers, AnyNumberOfBuffersIsASortedList) {
  for (const std::uint32_t count : {1u, 2u, 7u, 8u, 9u, 12u, 16u, 63u, FillBuffers::maximum}) {
    std::mt19937_64 random(count);
    FillBuffers buffers(count);
    PlainBuffers plain(count);
    Picoseconds now = 0;
    for (int i = 0; i < 5000; ++i) {
      now += random() % 200;
      const Picoseconds ready = now + (random() % 2 == 0 ? 0 : random() % 5000);
      const Picoseconds latency = random() % 3000;
      const Picoseconds arrival = random() % 3 == 0 ? now + random() % 4000 : 0;
      ASSERT_EQ(buffers.first_free(), plain.first_free()) << count << " buffers, step " << i;
      ASSERT_EQ(buffers.take(now, ready, latency, arrival), plain.take(now, ready, latency, arrival))
          << count << " buffers, step " << i;
    }
  }
}

}  // namespace lbhm::emulator
