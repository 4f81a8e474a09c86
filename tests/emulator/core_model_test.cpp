#include "emulator/core/core_model.h"

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
    core.begin({.instructions = instructions, .slots = instructions}, entries.size());
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
  core.begin({.instructions = 900, .slots = 1000, .chain = 40, .vectors = 3, .branches = 9, .mispredictions = 2}, 0);
  EXPECT_EQ(core.clock(), 1040 * ns);
  const EventCounts events = core.events();
  EXPECT_EQ(events.instructions, 900);
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
  const auto chain = unrelated(8, chase());
  other.begin({}, chain.size());
  other.run(chain, never);
  other.drain();
  EXPECT_EQ(other.clock(), 800 * ns);
}

TEST_F(CoreModelTest, LoadsUnderWayTellHowManyMissesOverlap) {
  run(unrelated(8, 0));  // one after the other is dispatched at once: eight buffers, 100 ns each
  EXPECT_EQ(core.events().load_occupancy, 800);
  EXPECT_EQ(core.events().load_cycles, 100);
  EXPECT_EQ(core.events().page_cycles_8, 100);
  EXPECT_EQ(core.events().buffers_full_cycles, 0);
  CoreModel chain(machine, pages, 1, {});
  const auto list = unrelated(6, chase());
  chain.begin({}, list.size());
  chain.run(list, never);
  EXPECT_EQ(chain.events().load_occupancy, chain.events().load_cycles) << "one at a time";
  EXPECT_EQ(chain.events().load_cycles, 600);
  EXPECT_EQ(chain.events().page_cycles_2, 0);
  EXPECT_EQ(chain.events().buffers_full_cycles, 0);
  CoreModel many(machine, pages, 2, {});
  const auto loads = unrelated(24, 0);
  many.begin({}, loads.size());
  many.run(loads, never);
  EXPECT_EQ(many.events().load_cycles, 300);
  EXPECT_EQ(many.events().buffers_full_cycles, 200) << "until the last eight have theirs";
}

TEST_F(CoreModelTest, AChainOutlivesTheWindowAndGoesOnInTheNextBuffer) {
  // Ten instructions a load, a window of a hundred: the core stops for the first load when the eleventh comes.
  const auto chain = unrelated(20, chase());
  core.begin({.instructions = 100, .slots = 100}, 10);
  core.run(std::span(chain).first(10), never);
  EXPECT_EQ(core.clock(), 100 * ns);
  core.begin({.instructions = 100, .slots = 100}, 10);
  core.run(std::span(chain).subspan(10), never);
  core.drain();
  EXPECT_EQ(core.clock(), (10 + 20 * 100) * ns);
}

TEST_F(CoreModelTest, AChainGoesOnThroughAHitOnALineThatIsUnderWay) {
  // while (p) { sum += p->key; p = p->next; }  Loads of keys miss; those of next find the line under way.
  constexpr std::uint32_t key = 77;
  const lbhm_emu_site of_key{.number = key, .address_from = chase_site, .flags = 0};
  lbhm_emu_module_v2(&of_key, &of_key + 1);
  std::vector<std::uint64_t> list;
  for (const std::uint64_t node : unrelated(6, 0)) {
    list.push_back(node | std::uint64_t{key} << LBHM_EMU_SITE_SHIFT);
    list.push_back((node + 8) | chase());
  }
  EXPECT_EQ(run(list), 600 * ns);
}

TEST_F(CoreModelTest, AMispredictedBranchWaitsForItsLoadAndThenForThePipeline) {
  constexpr std::uint64_t site = 5ull << LBHM_EMU_SITE_SHIFT;
  EXPECT_EQ(run({LBHM_EMU_BRANCH, base | site, LBHM_EMU_BRANCH | site}), (20 + 100 + 20) * ns);
  EXPECT_EQ(core.events().memory_wait_cycles, 100);
  EXPECT_EQ(run({LBHM_EMU_BRANCH | site}), 20 * ns) << "the load is done";
}

TEST_F(CoreModelTest, ALongerDispatchMakesAWindowLonger) {
  // 100 instructions that take ten cycles each hide a miss of 1,000 cycles and not of 100 only.
  const TierId slow[] = {TierId(1)};
  pages.prefer_default(slow);
  core.begin({.instructions = 100, .slots = 1000}, 1);
  core.run(std::vector{base}, never);
  core.begin({.instructions = 100, .slots = 1000}, 1);
  core.run(std::vector{base}, never);
  EXPECT_EQ(core.clock(), 2000 * ns);
}

TEST_F(CoreModelTest, FillBuffersLimitTheOverlap) { EXPECT_EQ(run(unrelated(24, 0)), 300 * ns); }

TEST_F(CoreModelTest, StoresWaitOnlyForRoomInTheWriteBuffer) {
  // 16 entries, 8 fill buffers: the 17th store waits for the first, whose line comes after 100 ns.
  EXPECT_EQ(run(unrelated(16, LBHM_EMU_WRITE)), 0u);
  CoreModel other(machine, pages, 1, {});
  const auto stores = unrelated(17, LBHM_EMU_WRITE);
  other.begin({}, stores.size());
  other.run(stores, never);
  EXPECT_EQ(other.clock(), 100 * ns);
  EXPECT_EQ(other.events().memory_wait_cycles, 100);
}

TEST_F(CoreModelTest, AStorePastTheCachesIsWrittenAndNotRead) {
  constexpr std::uint32_t number = 33;
  const lbhm_emu_site site{.number = number, .address_from = 0, .flags = LBHM_EMU_SITE_NONTEMPORAL};
  lbhm_emu_module_v2(&site, &site + 1);
  const TierId slow[] = {TierId(1)};
  pages.prefer_default(slow);
  const auto flags = LBHM_EMU_WRITE | std::uint64_t{number} << LBHM_EMU_SITE_SHIFT;
  run({base});
  core.take_demand();
  EXPECT_EQ(run({base | flags, (base + 64) | flags}), 0u);
  EXPECT_EQ(core.take_demand()[1].in_turns(), 2 * 4 * ns);
  EXPECT_EQ(run({base}), 400 * ns) << "it is in no cache";
}

TEST_F(CoreModelTest, StoresWaitForNothingButUseBandwidth) {
  EXPECT_EQ(run(unrelated(8, LBHM_EMU_WRITE)), 0u);
  EXPECT_EQ(core.take_demand()[0].in_turns(), 8 * ns);  // eight lines read for ownership, a nanosecond each
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
  EXPECT_EQ(core.take_demand()[0].in_turns(), (2048 + 1024) * ns);
}

TEST_F(CoreModelTest, HitsCostTheirLatencyOnlyInAChain) {
  const auto lines = unrelated(8, 0);  // one L1 set each holds two of them, L2 all
  run(lines);
  std::vector<std::uint64_t> same_set;
  for (std::uint64_t i = 0; i < 4; ++i) same_set.push_back(base + 0x100000 + i * 8 * 64);  // 4 lines, one L1 set of 2
  run(same_set);
  EXPECT_EQ(run(same_set), 10 * ns) << "of four hits the last one is waited for";
  for (std::uint64_t& entry : same_set) entry |= chase();
  same_set.resize(3);  // too short for the prefetcher
  EXPECT_EQ(run(same_set), 30 * ns);
}

TEST_F(CoreModelTest, ThePrefetcherHidesLatencyInTimeAndNotWhenItIsLate) {
  std::vector<std::uint64_t> stream;
  for (std::uint64_t i = 0; i < 256; ++i) stream.push_back((base + i * 64) | chase());
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

TEST_F(CoreModelTest, LinesAskedForAheadOfAStreamThatBreaksOffAreUseless) {
  std::vector<std::uint64_t> stream;
  for (std::uint64_t i = 0; i < 20; ++i) stream.push_back(base + i * 64);
  stream.push_back(base + (1 << 20));
  run(stream);
  EXPECT_EQ(core.useless_prefetches(), 4u) << "the distance";
  EXPECT_EQ(core.take_demand()[0].in_turns(), (21 + 4) * ns);
  for (std::uint64_t i = 0; i < 64; ++i) stream.push_back(base + (2 << 20) + i * 64);
  run({stream.begin() + 21, stream.end()});
  run({base + (3 << 20)});
  EXPECT_EQ(core.useless_prefetches(), 4u) << "the prefetcher does not go beyond a page";
}

TEST_F(CoreModelTest, AStreamHasTheLinesOfThePrefetcherAndOfTheFillBuffersUnderWay) {
  std::vector<std::uint64_t> stream;
  for (std::uint64_t i = 0; i < 4096; ++i) stream.push_back(base + i * 64);
  // Little's law: 4 steps ahead of the 8 loads that hold fill buffers, 100 ns each.
  const auto expected = static_cast<double>(4096 * 100 * ns) / (4 + 8);
  EXPECT_NEAR(static_cast<double>(run(stream, 4096)), expected, 0.02 * expected);
}

TEST_F(CoreModelTest, TheTlbReachesAsFarAsItsEntries) {
  machine.core.tlb = {.sets = 64, .ways = 4};
  machine.core.walk_cycles = 30;
  const auto walk = [this](std::uint64_t count) {
    CoreModel fresh(machine, pages, count, {});
    // One line a page, on lines of its own so that all levels of the caches miss.
    for (std::uint64_t round = 0; round < 4; ++round) {
      std::vector<std::uint64_t> loads;
      for (std::uint64_t i = 0; i < count; ++i) loads.push_back((base + i * 4096 + round * 64) | chase());
      fresh.begin({}, loads.size());
      fresh.run(loads, never);
      fresh.drain();
    }
    return std::pair(fresh.tlb_misses(), fresh.clock());
  };
  EXPECT_EQ(walk(256).first, 256u);
  EXPECT_EQ(walk(512).first, 4 * 512u) << "least recently used, in a circle";
  EXPECT_EQ(machine.core.l2_latency_cycles, 10);
  const std::uint64_t far = 512 / 8 + 1;  // walks: the first one to each line of the page table; frame 0 is no page
  EXPECT_EQ(walk(512).second, (4 * 512 * 110 + far * 20) * ns) << "others find it in the second level";
}

TEST_F(CoreModelTest, ALevelHandsOverOneLineAfterTheOther) {
  machine.core.l2_cycles_per_line = 5;
  machine.core.llc_cycles_per_line = 8;
  const auto time = [this](std::uint64_t lines, std::uint64_t site) {
    CoreModel fresh(machine, pages, 1, {});
    std::vector<std::uint64_t> loads;  // every line once, without a stride
    for (std::uint64_t i = 0; i < lines; ++i) loads.push_back((base + i * (i + 1) / 2 % lines * 64) | site);
    Picoseconds before = 0;
    for (int round = 0; round < 2; ++round) {
      before = fresh.clock();
      fresh.begin({}, loads.size());
      fresh.run(loads, never);
      fresh.drain();
    }
    return static_cast<double>(fresh.clock() - before) / static_cast<double>(lines * ns);
  };
  machine.core.llc = {.sets = 64, .ways = 4};
  constexpr std::uint64_t in_l2 = 32, in_llc = 128;
  EXPECT_NEAR(time(in_l2, 0), 5, 0.5) << "independent loads: a line every 5 cycles";
  EXPECT_NEAR(time(in_llc, 0), 8, 0.5);
  EXPECT_NEAR(time(in_l2, chase()), 10, 0.5) << "a chain waits for its latency, and not for its turn as well";
}

TEST_F(CoreModelTest, SingleUnitsLimitAWideCore) {
  const auto time = [this](Work work) {
    CoreModel fresh(machine, pages, 1, {});
    fresh.begin(work, 0);
    return fresh.clock();
  };
  machine.core.dispatch_width = 4;
  EXPECT_EQ(time({.instructions = 800, .slots = 800, .units = 400}), 200 * ns);
  machine.core.dispatch_width = 8;
  EXPECT_EQ(time({.instructions = 800, .slots = 800, .units = 400}), 100 * ns);
  EXPECT_EQ(time({.instructions = 800, .slots = 800, .units = 600}), 150 * ns) << "a quarter of a cycle each";
}

TEST_F(CoreModelTest, AdditionsInChainsTakeTheMachinesLatency) {
  const auto time = [this](double latency) {
    machine.core.addition_cycles = latency;
    CoreModel fresh(machine, pages, 1, {});
    fresh.begin({.instructions = 100, .chain = 60, .additions = 10}, 0);
    return fresh.clock();
  };
  EXPECT_EQ(time(4), 60 * ns);
  EXPECT_EQ(time(2), 40 * ns);
}

TEST_F(CoreModelTest, RandomMissesOfTheSlowTierTakeItsRandomLatency) {
  const TierId slow[] = {TierId(1)};
  pages.prefer_default(slow);
  EXPECT_EQ(run({base | chase()}), 400 * ns);
  EXPECT_EQ(run({(base + 64) | chase()}), 200 * ns);
  EXPECT_EQ(core.accesses()[1], AccessCount(2));
  EXPECT_EQ(core.events().memory_wait_cycles, 600);
}

TEST_F(CoreModelTest, RunStopsWhereTheQuantumEnds) {
  const auto chain = unrelated(20, chase());
  core.begin({.instructions = 2000, .slots = 2000}, chain.size());
  EXPECT_EQ(core.run(chain, 450 * ns), 5u);
  EXPECT_EQ(core.clock(), 500 * ns);
}

TEST_F(CoreModelTest, PausedAccessesTouchPagesAndNothingElse) {
  core.measure(false);
  EXPECT_EQ(run(unrelated(8, chase()), 500), 0u);
  EXPECT_EQ(core.take_demand(), Demand{});
  EXPECT_EQ(core.events().instructions, 0);
  EXPECT_EQ(core.events().llc_misses, 0);
  EXPECT_EQ(pages.peak_footprint(), Bytes(8 * 4096));
  core.measure(true);
  EXPECT_EQ(run({base}, 1), 101 * ns) << "no line came into a cache while paused";
}

TEST_F(CoreModelTest, APauseLeavesCachesAndPrefetchersAsTheyWere) {
  std::vector<std::uint64_t> stream;
  for (std::uint64_t i = 0; i < 8; ++i) stream.push_back((base + i * 64) | chase());
  run(stream);
  const double prefetches = core.events().prefetches;
  core.measure(false);
  run(unrelated(500, chase() | LBHM_EMU_WRITE));  // many times the size of all caches
  run({base | past_caches(), base | LBHM_EMU_BRANCH});
  core.measure(true);
  EXPECT_EQ(run({base + 7 * 64}), 0u) << "still in the first level";
  run({(base + 8 * 64) | chase()});
  EXPECT_EQ(core.events().prefetches, prefetches + 1) << "the stream goes on";
  EXPECT_EQ(core.take_demand()[0].in_turns(), 9 * ns)
      << "nine lines read; nothing that was written in the pause goes back";
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

TEST_F(CoreModelTest, APageThatTheCoreReleasesIsWrittenBackNoMore) {
  run({base | LBHM_EMU_WRITE});
  core.take_demand();
  core.page_table().release({base >> page_bits, (base >> page_bits) + 1});
  EXPECT_EQ(core.page_table().tier(core.page_table().known_frame(base >> page_bits)), no_tier);
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

TEST_F(SamplingTest, OneOfThreeMissesIsASampleAndCostsItsTime) {
  core.set_lane(LaneId(4));
  const auto chain = unrelated(30, chase());
  const Picoseconds took = run(chain);
  std::vector<AccessSample> samples;
  EXPECT_EQ(core.sampler().drain(samples), 0u);
  EXPECT_GE(samples.size(), 8u);
  EXPECT_LE(samples.size(), 12u);
  EXPECT_EQ(took, (30 * 100 + samples.size() * 7) * ns);
  for (std::size_t number = 0; number < samples.size(); ++number) {
    const AccessSample& sample = samples[number];
    const std::uint64_t of_samples = 7 * number, missed = (to_picoseconds(sample.time) / ns - of_samples) / 100;
    EXPECT_EQ(sample.address, chain.at(missed) & LBHM_EMU_ADDRESS_MASK);
    EXPECT_EQ(sample.lane, LaneId(4));
    EXPECT_EQ(sample.tier, TierId(0));
    EXPECT_EQ(sample.latency, Nanoseconds(100));
    EXPECT_FALSE(sample.write);
  }
}

}  // namespace
}  // namespace lbhm::emulator
