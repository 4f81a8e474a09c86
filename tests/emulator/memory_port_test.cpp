#include "emulator/memory/memory_port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

/// What reading a line of the slow tier takes a core, and the tier.
struct Read {
  Picoseconds latency;
  Picoseconds busy;
};
Read read_with_clock(std::uint64_t other_clock, std::uint64_t core) {
  MachineDescription machine = small_machine();
  machine.other_clock = other_clock;
  PageMap pages(machine.topology);
  MemoryPort port(machine, pages, core);
  const Picoseconds latency = port.read({.id = 0, .page = 0, .home = TierId(1)}, false, true, 0).latency;
  return {.latency = latency, .busy = port.take_demand()[1].in_turns()};
}

TEST(MemoryPort, AnotherClockSlowsEachCoresMemoryByAPartOfItsOwn) {
  EXPECT_EQ(read_with_clock(0, 0).latency, read_with_clock(0, 1).latency);
  EXPECT_NE(read_with_clock(1, 0).latency, read_with_clock(1, 1).latency);
  EXPECT_NE(read_with_clock(1, 0).busy, read_with_clock(1, 1).busy);
  EXPECT_GE(read_with_clock(1, 0).latency, read_with_clock(0, 0).latency);
  EXPECT_LE(read_with_clock(1, 0).latency, 4 * read_with_clock(0, 0).latency);
}

TEST(MemoryPort, TheSecondVariantTurnsTheOrderOfCoresRound) {
  for (std::uint64_t core = 1; core < 8; ++core) {
    EXPECT_NE(read_with_clock(1, 0).latency < read_with_clock(1, core).latency,
              read_with_clock(2, 0).latency < read_with_clock(2, core).latency)
        << core;
  }
}

/// Pages of the slow tier, which moves blocks of 256 bytes and keeps four of them.
class BlocksTest : public testing::Test {
 protected:
  BlocksTest() : machine(small_machine()), pages(machine.topology), port((blocks(machine), machine), pages, 0) {}
  static void blocks(MachineDescription& machine) {
    machine.topology.tiers[1].granularity = Bytes(256);
    machine.tier_details = {{}, {.curves = {}, .buffer = Bytes(1024)}};
  }
  void read(LineId line) { port.read({.id = line, .page = 0, .home = TierId(1)}, false, true, 0); }

  MachineDescription machine;
  PageMap pages;
  MemoryPort port;
};

TEST_F(BlocksTest, LinesReadAloneMoveABlockEach) {
  for (LineId i = 0; i < 100; ++i) read(64 + i * 1024);
  EXPECT_EQ(port.take_demand()[1].in_turns(), 4 * 100 * 4 * ns) << "four times a line's 4 ns";
}

TEST_F(BlocksTest, StreamsMoveWhatTheyAskFor) {
  for (LineId i = 0; i < 64; ++i) {
    read(64 + i);
    port.write({.id = 4096 + i, .page = 0, .home = TierId(1)}, 0);
  }
  EXPECT_EQ(port.take_demand()[1].in_turns(), 2 * 64 * 4 * ns);
}

/// A fast tier of 4 pages in front of the slow one; pages are handed out in the order of their numbers.
class MemoryModeTest : public testing::Test {
 protected:
  static constexpr PageNumber first_page = 1000;
  static constexpr Picoseconds hit = 100 * ns;           // of the fast tier
  static constexpr Picoseconds miss = (100 + 400) * ns;  // the tag, then the slow tier

  static MachineDescription description() {
    MachineDescription machine = small_machine(4);
    machine.memory_mode = true;
    machine.topology.tiers[1].capacity = Bytes(4096 * 1000);
    return machine;
  }
  MemoryModeTest() : machine(description()), pages(machine), port(machine, pages, 0), other(machine, pages, 1) {
    for (PageNumber i = 0; i < 100; ++i) pages.touch(first_page + i, {.time = i});
    pages.end_quantum();
    for (PageNumber i = 0; i < 100; ++i) by_set[*pages.physical_frame(id_of(i)) % 4].push_back(i);
  }
  PageId id_of(PageNumber page) {
    const std::array addresses{static_cast<std::uintptr_t>((first_page + page) << page_bits)};
    return pages.ids_of(addresses).front();
  }
  /// `number`: that of the set, and four more for each page of that set before this one.
  MemoryPort::Line line(std::uint64_t number) {
    const PageNumber page = by_set[number % 4].at(number / 4);
    const PageId id = id_of(page);
    return {.id = static_cast<LineId>((page + 1) << 6), .page = id, .home = pages.tier(id)};
  }
  Picoseconds read(MemoryPort& by, std::uint64_t page) { return by.read(line(page), false, true, 0).latency; }
  void end_quantum() {
    port.take_demand();
    other.take_demand();
    pages.end_quantum();
  }

  MachineDescription machine;
  PageMap pages;
  MemoryPort port;
  MemoryPort other;
  std::array<std::vector<PageNumber>, 4> by_set;
};

TEST_F(MemoryModeTest, PagesLiveInTheSlowTierAndTheFastOneHasNoRoom) {
  EXPECT_EQ(pages.where(first_page), TierId(1));
  EXPECT_EQ(pages.room(TierId(0)), Bytes(0));
  TierId from = no_tier;
  EXPECT_EQ(pages.move(first_page, TierId(0), from), PageStatus::full);
}

TEST_F(MemoryModeTest, LinesOfOneSetPushEachOtherOut) {
  EXPECT_EQ(read(port, 0), miss);
  EXPECT_EQ(read(port, 0), hit);
  EXPECT_EQ(read(port, 1), miss) << "another set";
  EXPECT_EQ(read(port, 0), hit);
  EXPECT_EQ(read(port, 4), miss) << "four pages on: the set of page 0";
  EXPECT_EQ(read(port, 0), miss);
}

TEST_F(MemoryModeTest, WhatAnAccessMovesInEachTier) {
  read(port, 0);  // the tag and the fill: 1 ns each; the line from the slow tier: 4 ns
  Demand demand = port.take_demand();
  EXPECT_EQ(demand[0].in_turns(), 2 * ns);
  EXPECT_EQ(demand[1].in_turns(), 4 * ns);
  port.write(line(0), 0);  // the tag and the line
  demand = port.take_demand();
  EXPECT_EQ(demand[0].in_turns(), 2 * ns);
  EXPECT_EQ(demand[1].in_turns(), 0u);
  read(port, 4);  // pushes the dirty line out
  EXPECT_EQ(port.take_demand()[1].in_turns(), 8 * ns);
}

TEST_F(MemoryModeTest, AWriteBackFindsItsLineAndMayPushAnotherOut) {
  port.write(line(0), 0);  // the tag and the line
  Demand demand = port.take_demand();
  EXPECT_EQ(demand[0].in_turns(), 2 * ns);
  EXPECT_EQ(demand[1].in_turns(), 0u);
  port.write(line(4), 0);
  demand = port.take_demand();
  EXPECT_EQ(demand[0].in_turns(), 2 * ns);
  EXPECT_EQ(demand[1].in_turns(), 4 * ns) << "the dirty one";
}

TEST_F(MemoryModeTest, OthersSeeAChangeWhenTheQuantumIsOver) {
  EXPECT_EQ(read(port, 0), miss);
  EXPECT_EQ(read(other, 0), miss);
  end_quantum();
  EXPECT_EQ(read(port, 0), hit);
  EXPECT_EQ(read(other, 0), hit);
  EXPECT_EQ(read(other, 4), miss);
  EXPECT_EQ(read(port, 0), hit) << "still";
  end_quantum();
  EXPECT_EQ(read(port, 0), miss);
}

TEST_F(MemoryModeTest, TheLaterChangeInVirtualTimeStands) {
  other.read(line(4), false, true, 70);
  port.read(line(0), false, true, 50);
  end_quantum();
  EXPECT_EQ(read(port, 4), hit);
}

TEST_F(MemoryModeTest, NoFrameIsGivenTwiceAndSetsFillByChance) {
  constexpr std::uint64_t cache = 1024;
  machine.topology.tiers[0].capacity = Bytes(4096 * cache);
  machine.topology.tiers[1].capacity = Bytes(4096 * 5000);  // no power of two
  PageMap large(machine);
  std::vector<PhysicalFrame> frames;
  std::vector<int> in_set(cache);
  for (PageNumber i = 0; i < 5000; ++i) {
    frames.push_back(*large.physical_frame(large.touch(i, {.at_once = true})));
    if (i < cache) ++in_set[frames.back() % cache];
  }
  // As many pages as sets, each of them anywhere: a share 1/e of the sets stays empty (within four deviations).
  EXPECT_NEAR(static_cast<double>(std::ranges::count(in_set, 0)) / cache, std::exp(-1), 0.06);
  std::ranges::sort(frames);
  EXPECT_EQ(std::ranges::unique(frames).size(), 0u);
  EXPECT_EQ(frames.back(), 4999u);
}

}  // namespace
}  // namespace lbhm::emulator
