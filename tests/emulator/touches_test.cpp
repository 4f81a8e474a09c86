// Are touched lines sampled with who served them, and does that change nothing but what it costs?
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "emulator/core/core_model.h"
#include "lbhm/instrumentation.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t base = 0x7000'0000'0000;

class TouchSamplingTest : public testing::Test {
 protected:
  static MachineDescription sampled() {
    MachineDescription machine = small_machine();
    machine.touch_period = 4;
    machine.sample_cost = 7 * ns;
    return machine;
  }
  TouchSamplingTest() : pages(machine.topology), core(machine, pages, 0, {}) {}
  Picoseconds run(const std::vector<std::uint64_t>& entries) {
    const Picoseconds before = core.clock();
    core.begin({}, entries.size());
    EXPECT_EQ(core.run(entries, never), entries.size());
    core.drain();
    return core.clock() - before;
  }
  /// Lines on different pages, without a common stride.
  static std::vector<std::uint64_t> unrelated(std::size_t count, std::uint64_t flags) {
    std::vector<std::uint64_t> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back((base + i * i * 4096 + i * 64) | flags);
    return entries;
  }
  std::vector<AccessSample> drained() {
    std::vector<AccessSample> samples;
    EXPECT_EQ(core.touches().drain(samples), 0u);
    return samples;
  }

  MachineDescription machine = sampled();
  PageMap pages;
  CoreModel core;
};

TEST_F(TouchSamplingTest, OneOfFourTouchesIsSampledWhoeverServedItAndCosts) {
  const std::vector<std::uint64_t> hits(100, base | LBHM_EMU_WRITE);
  run({base});
  drained();
  const Picoseconds took = run(hits);
  const auto samples = drained();
  EXPECT_NEAR(static_cast<double>(samples.size()), 25, 3);
  EXPECT_EQ(took, samples.size() * 7 * ns);
  for (const AccessSample& sample : samples) {
    EXPECT_EQ(sample.address, base);
    EXPECT_TRUE(sample.write);
    EXPECT_EQ(sample.tier, no_tier);
    EXPECT_EQ(sample.by, ServedBy::l1);
  }
}

TEST_F(TouchSamplingTest, AMissIsOfTheTierThatServedItAndALineOnItsWayIsAHit) {
  run(unrelated(40, 0));
  const auto misses = drained();
  EXPECT_NEAR(static_cast<double>(misses.size()), 10, 2);
  for (const AccessSample& sample : misses) {
    EXPECT_EQ(sample.tier, TierId(0));
    EXPECT_EQ(sample.by, ServedBy::memory);
    EXPECT_GE(sample.latency, machine.topology.tiers[0].latency_random);
  }
  std::vector<std::uint64_t> stream;
  for (std::size_t i = 0; i < 4000; ++i) stream.push_back((base + (1 << 24) + i * 64) | (7ull << LBHM_EMU_SITE_SHIFT));
  run(stream);
  const auto streamed = drained();
  const auto on_their_way = std::ranges::count_if(streamed, [](const AccessSample& sample) {
    return sample.tier == TierId(0) && sample.by == ServedBy::prefetcher;
  });
  EXPECT_GT(static_cast<double>(on_their_way), 0.99 * static_cast<double>(streamed.size()))
      << "the prefetcher brings them";
  EXPECT_LE(streamed.back().latency, machine.topology.tiers[0].latency_sequential) << "what is left of it";
}

TEST_F(TouchSamplingTest, EachCacheIsToldApartByWhatItTakes) {
  const std::size_t l1 = machine.core.l1.sets * machine.core.l1.ways, l2 = machine.core.l2.sets * machine.core.l2.ways;
  const auto again = [&](std::size_t lines) {  // a cycle that the caches up to some level cannot hold
    std::vector<std::uint64_t> entries;
    for (std::size_t i = 0; i < lines; ++i) entries.push_back(base + i * 51 % lines * 64);
    for (int round = 0; round < 3; ++round) run(entries);
    return drained().back();
  };
  const AccessSample second = again(2 * l1), third = again(2 * l2);
  EXPECT_EQ(second.by, ServedBy::l2);
  EXPECT_EQ(third.by, ServedBy::llc);
  EXPECT_EQ(second.tier, no_tier);
  EXPECT_LT(second.latency, third.latency);
  EXPECT_LT(third.latency, machine.topology.tiers[0].latency_random);
}

TEST_F(TouchSamplingTest, NothingButItsCostChanges) {
  MachineDescription description = machine;
  description.touch_period = 0;
  CoreModel other(description, pages, 1, {});
  machine.sample_cost = 0;
  CoreModel sampling(machine, pages, 2, {});
  auto entries = unrelated(60, 0);
  for (const std::uint64_t entry : unrelated(60, LBHM_EMU_WRITE)) entries.push_back(entry);
  for (CoreModel* each : {&other, &sampling}) {
    each->begin({.instructions = 500, .slots = 500}, entries.size());
    EXPECT_EQ(each->run(entries, never), entries.size());
    each->drain();
  }
  EXPECT_EQ(other.clock(), sampling.clock());
  std::vector<AccessSample> samples;
  EXPECT_EQ(other.touches().drain(samples), 0u);
  EXPECT_TRUE(samples.empty());
}

}  // namespace
}  // namespace lbhm::emulator
