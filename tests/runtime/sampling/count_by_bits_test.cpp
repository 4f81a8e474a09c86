// Findings of scans become counts per (lane, slot, page): whose they are, and how many accesses each is.
#include <gtest/gtest.h>

#include "runtime/sampling/found_pages.h"

namespace lbhm {
namespace {

constexpr Bytes page{4096};
constexpr AccessCount period{10}, walk{64};
constexpr std::uintptr_t first = 0x100000, second = 0x200000;

/// Two objects of 16 pages and two lanes.
class CountByBits : public testing::Test {
 protected:
  static std::uintptr_t page_at(std::uintptr_t object, std::uint64_t number) { return object + number * page.value; }
  void sample(std::uint32_t lane, std::uintptr_t address, int times = 1) {
    AccessSample sample;
    sample.lane = LaneId(lane);
    sample.address = address + 8;
    sample.tier = TierId(1);
    samples.insert(samples.end(), static_cast<std::size_t>(times), sample);
  }
  std::vector<LaneCounts> counts() const {
    auto counts = count_accesses(samples, period, slots, 2, 2, page);
    count_by_bits(counts, found, slots, page, walk);
    return counts;
  }
  /// Accesses of the lane to that page.
  static double of(const LaneCounts& lane, std::uint32_t slot, std::uint64_t number) {
    double sum = 0;
    for (const PageCount& each : lane.pages)
      if (each.slot == ObjectSlot(slot) && each.page == PageIndex(number)) sum += each.count.value;
    return sum;
  }

  std::vector<SlotRange> slots{{ObjectSlot(0), first, page * 16}, {ObjectSlot(1), second, page * 16}};
  std::vector<AccessSample> samples;
  FoundCounts found;
};

TEST_F(CountByBits, WithoutFindingsSamplesCount) {
  sample(1, page_at(first, 3));
  EXPECT_EQ(of(counts()[1], 0, 3), 10);
}

TEST_F(CountByBits, APageHasAsManyAccessesAsScansFoundItAndAllTogetherThoseOfTheSamples) {
  sample(0, page_at(first, 0), 8);
  found = {{page_at(first, 0), 3}, {page_at(first, 1), 1}};
  const auto counts = this->counts();
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 0), 60);
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 1), 20);
  EXPECT_DOUBLE_EQ(counts[0].tiers[1].accesses.value, 80) << "latencies and what the tiers served are the samples'";
}

TEST_F(CountByBits, LanesShareAPageAsItsSamplesDo) {
  sample(0, page_at(first, 5), 1);
  sample(1, page_at(first, 5), 3);
  found = {{page_at(first, 5), 2}};
  const auto counts = this->counts();
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 5), 10);
  EXPECT_DOUBLE_EQ(of(counts[1], 0, 5), 30);
}

TEST_F(CountByBits, APageWithoutSamplesIsSharedAsTheNextOneThatHasAny) {
  sample(0, page_at(first, 2));
  sample(1, page_at(first, 8));
  found = {{page_at(first, 0), 1}, {page_at(first, 5), 1}, {page_at(first, 6), 1}, {page_at(first, 15), 1}};
  const auto counts = this->counts();
  for (const std::uint64_t number : {0u, 5u}) EXPECT_DOUBLE_EQ(of(counts[0], 0, number), 5) << number;
  for (const std::uint64_t number : {6u, 15u}) EXPECT_DOUBLE_EQ(of(counts[1], 0, number), 5) << number;
}

TEST_F(CountByBits, AnObjectWithoutSamplesIsSharedByTheLanesAtWork) {
  sample(1, page_at(first, 0), 2);
  found = {{page_at(first, 0), 1}, {page_at(second, 4), 1}};
  const auto counts = this->counts();
  EXPECT_DOUBLE_EQ(of(counts[0], 1, 4), 0);
  EXPECT_DOUBLE_EQ(of(counts[1], 1, 4), 10);
}

TEST_F(CountByBits, AnObjectThatNoScanFoundKeepsItsSamples) {
  sample(0, page_at(first, 0), 2);
  sample(1, page_at(second, 4), 5);
  found = {{page_at(first, 1), 1}};
  const auto counts = this->counts();
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 0), 0) << "no scan found this page";
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 1), 20);
  EXPECT_DOUBLE_EQ(of(counts[1], 1, 4), 50);
}

TEST_F(CountByBits, WithoutSamplesAFindingIsAWalkOverThePage) {
  found = {{page_at(first, 7), 2}};
  const auto counts = this->counts();
  EXPECT_DOUBLE_EQ(of(counts[0], 0, 7), 64);
  EXPECT_DOUBLE_EQ(of(counts[1], 0, 7), 64);
}

TEST_F(CountByBits, AnObjectThatBeginsWithinAPageHasThatPage) {
  slots[0].address += 100;
  found = {{page_at(first, 0), 1}, {0x900000, 7}};
  EXPECT_DOUBLE_EQ(of(counts()[0], 0, 0), 32);
}

TEST_F(CountByBits, PagesAreSortedBySlotAndPage) {
  sample(0, page_at(second, 3));
  found = {{page_at(first, 9), 1}, {page_at(first, 2), 1}, {page_at(first, 4), 1}};
  const auto counts = this->counts();
  std::vector<std::pair<std::uint32_t, std::uint64_t>> order;
  for (const PageCount& each : counts[0].pages) order.emplace_back(each.slot.value, each.page.value);
  EXPECT_EQ(order, (decltype(order){{0, 2}, {0, 4}, {0, 9}, {1, 3}}));
}

TEST(FoundPages, AreThoseOfThePhaseUnderWay) {
  FoundPages pages;
  FoundCounts found;
  const std::uintptr_t one[] = {first}, both[] = {first, second};
  pages.add(both);  // no phase yet
  pages.begin();
  pages.add(both);  // looks back beyond the phase's begin
  pages.add(one);
  pages.add(both);
  pages.read(found);
  EXPECT_EQ(found, (FoundCounts{{first, 2}, {second, 1}}));
  pages.read(found);
  EXPECT_EQ(found, (FoundCounts{{first, 2}, {second, 1}})) << "read once";
  pages.add(one);
  pages.begin();
  pages.read(found);
  EXPECT_EQ(found.at(first), 2u);
}

}  // namespace
}  // namespace lbhm
