// Is an object worth what H2M's Eq. 1 and 2 say, and what Unimem's Eq. 1 to 3 say?
#include "model/worth.h"

#include <gtest/gtest.h>

#include <algorithm>

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

constexpr SampleFactors corrected{.bandwidth = 1.5, .latency = 1.25, .peak = BytesPerNanosecond(20)};

/// 1,000 loads that take so much of the peak.
TimedUse at(double share) { return {AccessCount(1000), AccessCount(0), Nanoseconds(1000 * 64 / (20 * share))}; }

TEST(BenefitTest, WhatTakesMostOfThePeakGainsByBandwidthAndWhatTakesLittleByLatency) {
  const double bandwidth = 1000 * 64 * (1 / 26.0 - 1 / 160.0) * 1.5, latency = 1000 * (247 - 76.0) * 1.25;
  EXPECT_DOUBLE_EQ(benefit(at(0.9), optane, dram, line, corrected).value, bandwidth);
  EXPECT_DOUBLE_EQ(benefit(at(0.05), optane, dram, line, corrected).value, latency);
  EXPECT_DOUBLE_EQ(benefit(at(0.5), optane, dram, line, corrected).value, std::max(bandwidth, latency));
}

TEST(BenefitTest, BetweenTheTwoTheLargerBenefitCounts) {
  EXPECT_LT(benefit(at(0.05), ddr, hbm, line, corrected), Nanoseconds(0)) << "HBM has the longer latency";
  EXPECT_DOUBLE_EQ(benefit(at(0.5), ddr, hbm, line, corrected).value,
                   benefit(at(0.9), ddr, hbm, line, corrected).value);
}

TEST(BenefitTest, StoresGoByTheBandwidthOfWriting) {
  const TimedUse stores{AccessCount(0), AccessCount(100), Nanoseconds(0)};  // at once: as fast as can be
  EXPECT_DOUBLE_EQ(benefit(stores, optane, dram, line, corrected).value, 100 * 64 * (1 / 9.0 - 1 / 80.0) * 1.5);
}

TEST(BenefitTest, AnObjectThatNobodyUsesIsWorthNothing) {
  EXPECT_EQ(benefit({}, optane, dram, line, corrected), Nanoseconds(0));
}

}  // namespace
}  // namespace lbhm
