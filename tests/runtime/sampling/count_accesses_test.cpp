// Samples become counts per (lane, slot, page).
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "runtime/sampling/sampling.h"

namespace lbhm {
namespace {

constexpr Bytes page{4096};

AccessSample sample(std::uint32_t lane, std::uintptr_t address, std::uint8_t tier = 0, double latency = 100) {
  AccessSample s;
  s.lane = LaneId(lane);
  s.address = address;
  s.tier = TierId(tier);
  s.latency = Nanoseconds(latency);
  return s;
}

SlotRange slot(std::uint32_t number, std::uintptr_t address, std::uint64_t bytes) {
  return {ObjectSlot(number), address, Bytes(bytes)};
}

TEST(CountAccesses, OneSampleStandsForAPeriodOfAccesses) {
  const auto counts =
      count_accesses({{sample(1, 0x10000 + 5000)}}, AccessCount(512), {{slot(7, 0x10000, 0x4000)}}, 2, 2, page);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_TRUE(counts[0].pages.empty());
  EXPECT_EQ(counts[0].lane, LaneId(0));
  EXPECT_EQ(counts[1].lane, LaneId(1));
  ASSERT_EQ(counts[1].pages.size(), 1u);
  EXPECT_EQ(counts[1].pages[0].slot.value, 7u);
  EXPECT_EQ(counts[1].pages[0].page.value, 1u);
  EXPECT_EQ(counts[1].pages[0].count.value, 512);
}

TEST(CountAccesses, ASampleOfASparserPeriodStandsForMore) {
  AccessSample sparse = sample(0, 0x10000);
  sparse.weight = 4;
  const auto counts =
      count_accesses({{sample(0, 0x10000), sparse}}, AccessCount(100), {{slot(0, 0x10000, 0x1000)}}, 1, 1, page);
  EXPECT_EQ(counts[0].pages[0].count, AccessCount(500));
  EXPECT_EQ(counts[0].tiers[0].accesses, AccessCount(500));
}

TEST(CountAccesses, TiersHaveScaledCountsAndMeanLatency) {
  const AccessSample samples[] = {sample(0, 1, 0, 80), sample(0, 2, 1, 100), sample(0, 3, 1, 400)};
  const auto counts = count_accesses(samples, AccessCount(10), {}, 1, 3, page);
  ASSERT_EQ(counts[0].tiers.size(), 3u);
  EXPECT_EQ(counts[0].tiers[0].accesses.value, 10);
  EXPECT_DOUBLE_EQ(counts[0].tiers[0].mean_latency.value, 80);
  EXPECT_EQ(counts[0].tiers[1].accesses.value, 20);
  EXPECT_DOUBLE_EQ(counts[0].tiers[1].mean_latency.value, 250);
  EXPECT_EQ(counts[0].tiers[2].accesses.value, 0);
  EXPECT_EQ(counts[0].tiers[2].mean_latency.value, 0);
  EXPECT_EQ(counts[0].elsewhere.value, 30);
}

TEST(CountAccesses, WritesAreThePartOfATiersAccessesThatWereStores) {
  std::vector<AccessSample> samples{sample(0, 1, 0), sample(0, 2, 1), sample(0, 3, 1), sample(1, 4, 1)};
  samples[1].write = samples[3].write = true;
  const auto counts = count_accesses(samples, AccessCount(10), {}, 2, 2, page);
  EXPECT_EQ(counts[0].tiers[0].writes.value, 0);
  EXPECT_EQ(counts[0].tiers[1].writes.value, 10);
  EXPECT_EQ(counts[0].tiers[1].accesses.value, 20);
  EXPECT_EQ(counts[1].tiers[1].writes.value, 10);
}

TEST(CountAccesses, PagesAreSortedAndUnique) {
  const SlotRange slots[] = {slot(1, 0x90000, 0x2000), slot(0, 0x10000, 0x2000)};
  const AccessSample samples[] = {sample(0, 0x91000), sample(0, 0x11fff), sample(0, 0x90000),
                                  sample(0, 0x11000), sample(0, 0x91fff), sample(0, 0x92000)};
  const auto counts = count_accesses(samples, AccessCount(1), slots, 1, 1, page);
  ASSERT_EQ(counts[0].pages.size(), 3u);
  const std::tuple<std::uint32_t, std::uint64_t, double> expected[] = {{0, 1, 2}, {1, 0, 1}, {1, 1, 2}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& p = counts[0].pages[i];
    EXPECT_EQ(std::tuple(p.slot.value, p.page.value, p.count.value), expected[i]);
  }
  EXPECT_EQ(counts[0].elsewhere.value, 1);
}

TEST(CountAccesses, PageZeroIsThatOfTheFirstByteAlsoForUnalignedObjects) {
  const auto counts = count_accesses({{sample(0, 0x10ff0), sample(0, 0x11000)}}, AccessCount(1),
                                     {{slot(0, 0x10ff0, 0x100)}}, 1, 1, page);
  ASSERT_EQ(counts[0].pages.size(), 2u);
  EXPECT_EQ(counts[0].pages[0].page.value, 0u);
  EXPECT_EQ(counts[0].pages[1].page.value, 1u);
}

TEST(CountAccesses, OfOverlappingSlotsTheFirstListedWins) {
  const SlotRange slots[] = {slot(0, 0x12000, 0x1000), slot(1, 0x10000, 0x8000)};
  const auto counts =
      count_accesses({{sample(0, 0x11000), sample(0, 0x12800), sample(0, 0x13000)}}, AccessCount(1), slots, 1, 1, page);
  ASSERT_EQ(counts[0].pages.size(), 3u);
  EXPECT_EQ(counts[0].pages[0].slot.value, 0u);
  EXPECT_EQ(counts[0].pages[0].page.value, 0u);
  EXPECT_EQ(counts[0].pages[1].page.value, 1u);
  EXPECT_EQ(counts[0].pages[2].page.value, 3u);
}

TEST(CountAccesses, UnknownLanesAndTiersAndMissingInputAreIgnored) {
  const auto counts = count_accesses({{sample(9, 0x10000), sample(0, 0x10000, 0xff)}}, AccessCount(1),
                                     {{slot(0, 0x10000, 0x1000)}}, 1, 1, page);
  EXPECT_TRUE(counts[0].pages.empty());
  EXPECT_EQ(counts[0].elsewhere.value, 0);
  EXPECT_TRUE(count_accesses({}, AccessCount(1), {}, 0, 0, page).empty());
  EXPECT_EQ(count_accesses({{sample(0, 1)}}, AccessCount(0), {}, 1, 1, page)[0].tiers[0].accesses.value, 0);
  EXPECT_EQ(count_accesses({{sample(0, 1)}}, AccessCount(1), {{slot(0, 0, 0)}}, 1, 1, Bytes(0))[0].elsewhere.value, 1);
}

TEST(CountAccesses, ASlotMayReachTheEndOfTheAddressSpace) {
  const std::uintptr_t last = ~std::uintptr_t{0};
  const auto counts = count_accesses({{sample(0, last)}}, AccessCount(1), {{slot(0, last - 99, 1000)}}, 1, 1, page);
  ASSERT_EQ(counts[0].pages.size(), 1u);
}

TEST(CountAccesses, PropertyAgreesWithALinearSearch) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<SlotRange> slots;
    for (std::uint32_t i = 0; i < random() % 12; ++i) slots.push_back(slot(i, random() % 100000, random() % 30000));
    std::vector<AccessSample> samples;
    for (int i = 0; i < 300; ++i) samples.push_back(sample(random() % 4, random() % 140000, random() % 3));
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, double> expected;
    double elsewhere = 0;
    for (const auto& s : samples) {
      if (s.lane.value >= 3 || s.tier.value >= 2) continue;
      const SlotRange* hit = nullptr;
      for (const auto& r : slots) {
        if (!hit && s.address >= r.address && s.address - r.address < r.bytes.value) hit = &r;
      }
      if (hit) {
        expected[{s.lane.value, hit->slot.value, s.address / 4096 - hit->address / 4096}] += 8;
      } else {
        elsewhere += 8;
      }
    }
    decltype(expected) actual;
    for (const auto& lane : count_accesses(samples, AccessCount(8), slots, 3, 2, page)) {
      for (const auto& p : lane.pages) {
        ASSERT_TRUE(actual.emplace(std::tuple(lane.lane.value, p.slot.value, p.page.value), p.count.value).second);
      }
      elsewhere -= lane.elsewhere.value;
    }
    ASSERT_EQ(actual, expected);
    ASSERT_EQ(elsewhere, 0);
  }
}

}  // namespace
}  // namespace lbhm
