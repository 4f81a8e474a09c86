#include "emulator/core_model.h"

#include <gtest/gtest.h>

#include <vector>

#include "lbhm/instrumentation.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t base = 0x7000'0000'0000;

/// A core that runs without quanta; one instruction takes a nanosecond.
class CoreModelTest : public testing::Test {
 protected:
  explicit CoreModelTest(MachineDescription description = small_machine())
      : machine(std::move(description)), pages(machine.topology), core(machine, pages, 0, {}) {}

  Picoseconds run(const std::vector<std::uint64_t>& entries, std::uint64_t instructions = 0) {
    const Picoseconds before = core.clock();
    core.begin({.instructions = instructions}, entries.size());
    EXPECT_EQ(core.run(entries, never), entries.size());
    core.drain();
    return core.clock() - before;
  }

  /// Lines on different pages, in different sets, without a common stride.
  static std::vector<std::uint64_t> unrelated(std::size_t count, std::uint64_t flags) {
    std::vector<std::uint64_t> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back((base + i * i * 4096 + i * 64) | flags);
    return entries;
  }

  MachineDescription machine;
  PageMap pages;
  CoreModel core;
};

TEST_F(CoreModelTest, WorkWithoutAccessesTakesDispatchAndPenalties) {
  core.begin({.instructions = 1000, .vectors = 3, .branches = 9, .mispredictions = 2}, 0);
  EXPECT_EQ(core.clock(), 1040 * ns);
  const EventCounts events = core.events();
  EXPECT_EQ(events.instructions, 1000);
  EXPECT_EQ(events.cycles, 1040);
  EXPECT_EQ(events.vector_instructions, 3);
  EXPECT_EQ(events.branches, 9);
  EXPECT_EQ(events.branch_mispredictions, 2);
}

TEST_F(CoreModelTest, WorkIsSpreadOverTheAccessesWithoutLoss) {
  run({base | 1, base | 1, base | 1});  // brings page and line in
  const Picoseconds before = core.clock();
  for (int i = 0; i < 10; ++i) run({base, base, base}, 100);  // 100 / 3 leaves a remainder
  core.begin({}, 0);
  EXPECT_EQ(core.clock() - before, 1000 * ns);
}

TEST_F(CoreModelTest, IndependentMissesOverlapAndDependentOnesDoNot) {
  EXPECT_EQ(run(unrelated(8, 0)), 100 * ns);
  CoreModel other(machine, pages, 1, {});
  const auto chain = unrelated(8, LBHM_EMU_SERIAL);
  other.begin({}, chain.size());
  other.run(chain, never);
  EXPECT_EQ(other.clock(), 800 * ns);
}

TEST_F(CoreModelTest, FillBuffersLimitTheOverlap) { EXPECT_EQ(run(unrelated(24, 0)), 300 * ns); }

TEST_F(CoreModelTest, StoresWaitForNothingButUseBandwidth) {
  EXPECT_EQ(run(unrelated(8, LBHM_EMU_WRITE)), 0u);
  EXPECT_EQ(core.take_demand()[0], 8 * ns);  // eight lines read for ownership, a nanosecond each
  EXPECT_EQ(core.events().llc_misses, 8);
  EXPECT_EQ(core.events().l3_load_misses, 0);
}

TEST_F(CoreModelTest, DirtyLinesAreWrittenBackOnceTheyLeaveTheLastLevel) {
  std::vector<std::uint64_t> stores;
  std::vector<std::uint64_t> loads;
  // More than the three levels hold together, twice.
  for (std::uint64_t i = 0; i < 1024; ++i) stores.push_back((base + i * 64) | LBHM_EMU_WRITE);
  for (std::uint64_t i = 1024; i < 2048; ++i) loads.push_back(base + i * 64);
  run(stores);
  run(loads);
  EXPECT_EQ(core.take_demand()[0], (2048 + 1024) * ns);
}

TEST_F(CoreModelTest, HitsCostTheirLatencyOnlyInAChain) {
  const auto lines = unrelated(8, 0);  // one L1 set each holds two of them, L2 all
  run(lines);
  std::vector<std::uint64_t> same_set;
  for (std::uint64_t i = 0; i < 4; ++i) same_set.push_back(base + 0x100000 + i * 8 * 64);  // 4 lines, one L1 set of 2
  run(same_set);
  EXPECT_EQ(run(same_set), 0u);
  for (std::uint64_t& entry : same_set) entry |= LBHM_EMU_SERIAL | (9ull << LBHM_EMU_SITE_SHIFT);
  same_set.resize(3);  // too short for the prefetcher
  EXPECT_EQ(run(same_set), 30 * ns);
}

TEST_F(CoreModelTest, ThePrefetcherHidesLatencyInTimeAndNotWhenItIsLate) {
  std::vector<std::uint64_t> stream;
  for (std::uint64_t i = 0; i < 256; ++i) stream.push_back((base + i * 64) | LBHM_EMU_SERIAL);
  // 30 ns a step: four steps ahead are 120 ns, more than the 100 of the tier. Only the first misses are seen.
  const Picoseconds slow_pace = run(stream, 256 * 30) - 256 * 30 * ns;
  EXPECT_LT(slow_pace, 600 * ns);
  EXPECT_EQ(core.events().prefetches, 253);
  EXPECT_EQ(core.events().prefetch_misses, 253);
  // Without work between them the steps are as long as what is left of the latency: l = 100 - 4 l.
  for (std::uint64_t& entry : stream) entry += 1 << 20;
  const Picoseconds no_pace = run(stream, 0);
  EXPECT_GT(no_pace, 256 * 18 * ns);
  EXPECT_LT(no_pace, 256 * 25 * ns);
}

TEST_F(CoreModelTest, RandomMissesOfTheSlowTierTakeItsRandomLatency) {
  const TierId slow[] = {TierId(1)};
  pages.prefer_default(slow);
  EXPECT_EQ(run({base | LBHM_EMU_SERIAL}), 400 * ns);
  EXPECT_EQ(run({(base + 64) | LBHM_EMU_SERIAL}), 200 * ns);
  EXPECT_EQ(core.accesses()[1], AccessCount(2));
  EXPECT_EQ(core.events().memory_wait_cycles, 600);
}

TEST_F(CoreModelTest, RunStopsWhereTheQuantumEnds) {
  const auto chain = unrelated(20, LBHM_EMU_SERIAL);
  core.begin({}, chain.size());
  EXPECT_EQ(core.run(chain, 450 * ns), 5u);
  EXPECT_EQ(core.clock(), 500 * ns);
}

TEST_F(CoreModelTest, PausedAccessesTouchPagesAndNothingElse) {
  core.measure(false);
  EXPECT_EQ(run(unrelated(8, LBHM_EMU_SERIAL), 500), 0u);
  EXPECT_EQ(core.take_demand(), Demand{});
  EXPECT_EQ(core.events().instructions, 0);
  EXPECT_EQ(core.events().llc_misses, 0);
  EXPECT_EQ(pages.peak_footprint(), Bytes(8 * 4096));
  core.measure(true);
  EXPECT_EQ(run({base}, 1), 1 * ns) << "the line came into the cache while paused";
}

TEST_F(CoreModelTest, ZeroEntriesAndTheStackAreIgnored) {
  CoreModel other(machine, pages, 1, {.first = base >> page_bits, .last = (base >> page_bits) + 2});
  const std::vector<std::uint64_t> entries{0, base, base + 4096, 0};
  other.begin({}, entries.size());
  other.run(entries, never);
  EXPECT_EQ(other.clock(), 0u);
  EXPECT_EQ(pages.peak_footprint(), Bytes(0));
}

TEST_F(CoreModelTest, AReleasedPageIsANewPage) {
  run({base});
  EXPECT_EQ(run({base}), 0u);
  pages.release({base >> page_bits, (base >> page_bits) + 1});
  EXPECT_EQ(run({base}), 100 * ns);
}

class SamplingTest : public CoreModelTest {
 protected:
  static MachineDescription sampled() {
    MachineDescription machine = small_machine();
    machine.sample_period = 3;
    machine.sample_cost = 7 * ns;
    return machine;
  }
  SamplingTest() : CoreModelTest(sampled()) {}
};

TEST_F(SamplingTest, EveryThirdMissIsASampleAndCostsItsTime) {
  core.set_lane(LaneId(4));
  const auto chain = unrelated(7, LBHM_EMU_SERIAL);
  EXPECT_EQ(run(chain), 714 * ns);
  std::vector<AccessSample> samples;
  EXPECT_EQ(core.sampler().drain(samples), 0u);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].address, chain[2] & LBHM_EMU_ADDRESS_MASK);
  EXPECT_EQ(samples[1].address, chain[5] & LBHM_EMU_ADDRESS_MASK);
  EXPECT_EQ(samples[0].lane, LaneId(4));
  EXPECT_EQ(samples[0].tier, TierId(0));
  EXPECT_EQ(samples[0].latency, Nanoseconds(100));
  EXPECT_FALSE(samples[0].write);
  EXPECT_EQ(samples[0].time, Nanoseconds(200));
}

TEST(Sampler, CountsWhatDoesNotFit) {
  Sampler sampler(1, 1);
  for (std::size_t i = 0; i < Sampler::buffer_size + 5; ++i) sampler.record({});
  std::vector<AccessSample> samples;
  EXPECT_EQ(sampler.drain(samples), 5u);
  EXPECT_EQ(samples.size(), Sampler::buffer_size);
  EXPECT_EQ(sampler.drain(samples), 0u);
}

}  // namespace
}  // namespace lbhm::emulator
