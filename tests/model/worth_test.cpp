// Is an object worth what H2M's Eq. 1 and 2 say?
#include "model/worth.h"

#include <gtest/gtest.h>

namespace lbhm {
namespace {

constexpr Bytes line{64};
constexpr MemoryFigures dram{Nanoseconds(76), BytesPerNanosecond(160), BytesPerNanosecond(80)};
constexpr MemoryFigures optane{Nanoseconds(247), BytesPerNanosecond(26), BytesPerNanosecond(9)};
constexpr MemoryFigures hbm{Nanoseconds(121), BytesPerNanosecond(1329), BytesPerNanosecond(1329)};
constexpr MemoryFigures ddr{Nanoseconds(98), BytesPerNanosecond(496), BytesPerNanosecond(496)};

TEST(WorthTest, MissesWaitForTheLatencyAndHitsForTheBandwidth) {
  const ObjectUse misses{AccessCount(1000), AccessCount(0), 0.0}, hits{AccessCount(1000), AccessCount(0), 1.0};
  EXPECT_DOUBLE_EQ(access_time(misses, dram, line).value, 1000 * 76.0);
  EXPECT_DOUBLE_EQ(access_time(hits, dram, line).value, 1000 * 64 / 160.0);
}

TEST(WorthTest, ReadsAndWritesHaveBandwidthsOfTheirOwn) {
  const ObjectUse use{AccessCount(300), AccessCount(100), 0.75};
  const double reads = 300 * 247 * 0.25 + 300 * 64 / 26.0 * 0.75, writes = 100 * 247 * 0.25 + 100 * 64 / 9.0 * 0.75;
  EXPECT_DOUBLE_EQ(access_time(use, optane, line).value, reads + writes);
}

TEST(WorthTest, ASampleStandsForItsPeriod) {
  const ObjectUse use{AccessCount(10), AccessCount(0), 0.0};
  EXPECT_DOUBLE_EQ(improvement(use, optane, dram, line, AccessCount(127)).value, 127 * 10 * (247 - 76.0));
}

TEST(WorthTest, WhatWaitsForLatencyIsWorthNothingInHbm) {
  EXPECT_LT(improvement({AccessCount(1000), AccessCount(0), 0.1}, ddr, hbm, line), Nanoseconds(0));
  EXPECT_GT(improvement({AccessCount(1000), AccessCount(0), 1.0}, ddr, hbm, line), Nanoseconds(0));
}

TEST(WorthTest, AnObjectThatNobodyUsesIsWorthNothing) {
  EXPECT_EQ(improvement({}, optane, dram, line), Nanoseconds(0));
}

TEST(WorthTest, WithoutABandwidthOnlyTheLatencyCounts) {
  const MemoryFigures unknown{.latency = Nanoseconds(100), .read_bandwidth = {}, .write_bandwidth = {}};
  EXPECT_DOUBLE_EQ(access_time({AccessCount(10), AccessCount(10), 0.5}, unknown, line).value, 1000);
}

}  // namespace
}  // namespace lbhm
