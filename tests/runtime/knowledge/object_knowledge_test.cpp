// Does a phase learn from its base instance what alpha of its objects is, and refine it where the compiler cannot know?
#include "runtime/knowledge/object_knowledge.h"

#include <gtest/gtest.h>

#include "lbhm/compiled_patterns.h"
#include "tests/runtime/patterns/texts.h"

namespace lbhm {
namespace {

constexpr Bytes line{64};
constexpr std::uint64_t a_of_module = 0xabcULL << LBHM_BASE_BITS, x_of_module = a_of_module + 1;

std::vector<SlotRange> objects(std::uint64_t bytes) {
  return {{.slot = ObjectSlot(0), .address = 0x100000, .bytes = Bytes(bytes)},
          {.slot = ObjectSlot(1), .address = 0x10000000, .bytes = Bytes(bytes)}};
}

std::vector<AccessSample> walk(std::uintptr_t from, std::size_t lines) {
  std::vector<AccessSample> samples(lines);
  for (std::size_t i = 0; i < lines; ++i)
    samples[i] = {.address = from + 64 * i, .lane = LaneId(0), .tier = TierId(0), .latency = {}, .time = {}};
  return samples;
}

TEST(Knowledge, TakesTheCompilersWordWhereItHasOne) {
  PatternCatalog catalog;
  ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok());
  const std::vector<std::vector<NotedBase>> notes{{{a_of_module, ObjectSlot(0), 1}, {x_of_module, ObjectSlot(1), 1}}};
  const auto knowledge = learn_patterns(catalog, notes, {}, AccessCount(1), objects(1 << 20), {}, line);
  ASSERT_EQ(knowledge.size(), 1U);
  EXPECT_EQ(kind_of(knowledge, 0), "stream");
  EXPECT_EQ(kind_of(knowledge, 1), "gather");
}

TEST(Knowledge, LooksAtSamplesWhereTheCompilerIsSilent) {
  const auto knowledge = learn_patterns(PatternCatalog(), std::vector<std::vector<NotedBase>>(1), walk(0x100000, 1000),
                                        AccessCount(1), objects(1 << 20), {}, line);
  EXPECT_EQ(kind_of(knowledge, 0), "stream");
  EXPECT_EQ(kind_of(knowledge, 1), "unknown") << "no sample hit it";
}

TEST(Knowledge, BelievesTheUserWhereTheCompilerIsSilent) {
  PatternCatalog catalog;
  ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok());
  const std::vector<std::vector<NotedBase>> notes{{{a_of_module, ObjectSlot(0), 1}}};
  const std::vector<std::optional<PatternKind>> hints{PatternKind::gather, PatternKind::strided};
  const auto knowledge = learn_patterns(catalog, notes, {}, AccessCount(1), objects(1 << 20), hints, line);
  EXPECT_EQ(kind_of(knowledge, 0), "stream") << "the compiler saw the loop";
  EXPECT_EQ(kind_of(knowledge, 1), "strided");
}

TEST(Knowledge, AnAccessCostsAMemoryTheLinesOfItsBlockThatNobodyElseUses) {
  constexpr Bytes block{256};
  const auto lines = [block](PatternKind kind, std::int64_t stride = 0) {
    return lines_an_access({{.kind = kind, .stride = stride}}, line, block);
  };
  EXPECT_EQ(lines(PatternKind::stream, 8), 1);
  EXPECT_EQ(lines(PatternKind::stencil), 1);
  EXPECT_EQ(lines(PatternKind::strided, 32), 1);
  EXPECT_EQ(lines(PatternKind::strided, -128), 2);
  EXPECT_EQ(lines(PatternKind::strided, 4096), 4);
  EXPECT_EQ(lines(PatternKind::gather), 4);
  EXPECT_EQ(lines_an_access({{.kind = PatternKind::gather}}, line, line), 1) << "memory that moves lines";
  EXPECT_EQ(lines_an_access({}, line, block), 1) << "nothing is known";
  // Of nine accesses to elements of 8 bytes the eight of a stream meet one line, the random one another.
  const ObjectPatterns both{{.kind = PatternKind::stream, .weight = 8.0 / 9},
                            {.kind = PatternKind::gather, .weight = 1.0 / 9}};
  EXPECT_DOUBLE_EQ(lines_an_access(both, line, block), 2.5);
}

TEST(Knowledge, AlphaOfAStreamIsThatOfItsLinesWhateverWasCounted) {
  ObjectKnowledge stream{.patterns = {{.kind = PatternKind::stream, .stride = 8}}, .refinement = {}};
  stream.refinement.observe(Bytes(1 << 20), AccessCount(1000));
  stream.refinement.observe(Bytes(1 << 21), AccessCount(9000));
  EXPECT_DOUBLE_EQ(alpha_of(stream, Bytes(1 << 20), Bytes(1 << 21), line, {}), 1);
}

TEST(Knowledge, AlphaOfRandomAccessesFollowsTheCounts) {
  std::vector<ObjectKnowledge> task(1);
  task[0].patterns = {{.kind = PatternKind::gather}};
  EXPECT_DOUBLE_EQ(alpha_of(task[0], Bytes(1 << 20), Bytes(1 << 21), line, {}), 1) << "as Eq. 1 begins";
  // Accesses grow with the square of the size.
  for (const double size : {1.0, 2.0, 4.0}) {
    const std::vector<SlotRange> now{
        {.slot = ObjectSlot(0), .address = 0, .bytes = Bytes(static_cast<std::uint64_t>(size * (1 << 20)))}};
    observe(task, now, std::vector{AccessCount(1e6 * size * size)}, AccessCount(1));
  }
  const double alpha = alpha_of(task[0], Bytes(1 << 20), Bytes(3 << 20), line, {});
  EXPECT_NEAR(estimated_accesses(AccessCount(1e6), Bytes(1 << 20), Bytes(3 << 20), alpha).value, 9e6, 0.05 * 9e6);
}

TEST(Knowledge, APatternOfFewAccessesDoesNotDecide) {
  ObjectKnowledge mixed{.patterns = {{.kind = PatternKind::stream, .stride = 8, .weight = 0.97},
                                     {.kind = PatternKind::gather, .weight = 0.03}},
                        .refinement = {}};
  mixed.refinement.observe(Bytes(1 << 20), AccessCount(1000));
  mixed.refinement.observe(Bytes(1 << 21), AccessCount(9000));
  EXPECT_NEAR(alpha_of(mixed, Bytes(1 << 20), Bytes(1 << 21), line, {}), 1, 1e-9);
}

TEST(Elements, AreAsFarApartAsTheMostFrequentPatternSays) {
  KnownObjects knowledge(1, std::vector<ObjectKnowledge>(3));
  knowledge[0][0].patterns = {{.kind = PatternKind::strided, .element = Bytes(8), .stride = -32}};
  knowledge[0][1].patterns = {{.kind = PatternKind::stream, .element = Bytes(4), .stride = 16, .weight = 0.9},
                              {.kind = PatternKind::strided, .element = Bytes(8), .stride = 64, .weight = 0.1}};
  EXPECT_EQ(elements_of(knowledge, 3), (std::vector{Bytes(32), Bytes(4), Bytes(0)}));
}

Topology slow_is_four_times_slower() {
  Topology machine;
  machine.cycles_per_nanosecond = 2;
  machine.tiers.resize(2);
  machine.tiers[0].latency_random = Nanoseconds(75);
  machine.tiers[1].latency_random = Nanoseconds(300);
  return machine;
}

AccessSample sample_of(TierId tier, Nanoseconds latency) {
  AccessSample sample;
  sample.tier = tier;
  sample.latency = latency;
  return sample;
}

/// One of 100 accesses is sampled. By turns 20 samples of object 0, each so long after the last, and 20 of object 1.
std::vector<AccessSample> by_turns(AccessSample first, Nanoseconds after, AccessSample second,
                                   Nanoseconds after_second) {
  std::vector<AccessSample> samples;
  Nanoseconds now(1000);
  for (int i = 0; i < 400; ++i) {
    const bool other = i / 20 % 2 == 1;
    AccessSample sample = other ? second : first;
    sample.address = other ? 0x10000000 : 0x100000;
    sample.time = now += other ? after_second : after;
    samples.push_back(sample);
  }
  return samples;
}

double ratio_of_waits(const std::vector<AccessSample>& samples) {
  KnownObjects known(1, std::vector<ObjectKnowledge>(2));
  observe_waits(known, samples, objects(1 << 20), AccessCount(100), slow_is_four_times_slower());
  const std::vector<double> waits = relative_waits(known[0]);
  return waits[0] / waits[1];
}

const AccessSample in_slow = sample_of(TierId(1), Nanoseconds(300));

TEST(Waits, AreNoLongerThanTheTimeFromOneAccessToTheNext) {
  EXPECT_NEAR(ratio_of_waits(by_turns(in_slow, Nanoseconds(30'000), in_slow, Nanoseconds(3'000))), 10, 1)
      << "misses that overlap wait for each other's time, though each is as late";
  EXPECT_NEAR(ratio_of_waits(by_turns(in_slow, Nanoseconds(300'000), in_slow, Nanoseconds(30'000))), 1, 0.1)
      << "what is computed between two accesses is no wait";
}

TEST(Waits, AreThoseOfSlowMemoryWhereverThePagesLie) {
  const AccessSample in_fast = sample_of(TierId(0), Nanoseconds(75));
  EXPECT_NEAR(ratio_of_waits(by_turns(in_fast, Nanoseconds(7'500), in_slow, Nanoseconds(30'000))), 1, 0.1);
}

TEST(Waits, OfALoadThatAPrefetchWasAheadOfAreNone) {
  const AccessSample prefetched = sample_of(TierId(1), Nanoseconds(14));
  EXPECT_LT(ratio_of_waits(by_turns(prefetched, Nanoseconds(30'000), in_slow, Nanoseconds(30'000))), 0.05);
}

TEST(Waits, OfAFewSamplesAreNextToTheMean) {
  KnownObjects known(1, std::vector<ObjectKnowledge>(2));
  EXPECT_TRUE(relative_waits(known[0]).empty()) << "nothing is known";
  known[0][0] = {.patterns = {}, .refinement = {}, .waited = Nanoseconds(1000), .samples = 100};
  known[0][1] = {.patterns = {}, .refinement = {}, .waited = Nanoseconds(1000), .samples = 1};
  const std::vector<double> waits = relative_waits(known[0]);
  EXPECT_LT(waits[1], 12) << "one sample says fifty times the mean";
  EXPECT_GT(waits[1], 2 * waits[0]);
}

TEST(BySlot, AddsUpThePagesOfEachObject) {
  LaneCounts lane;
  lane.pages = {{ObjectSlot(0), PageIndex(0), AccessCount(3)},
                {ObjectSlot(0), PageIndex(5), AccessCount(4)},
                {ObjectSlot(1), PageIndex(0), AccessCount(5)}};
  const auto counted = by_slot(lane, 2);
  EXPECT_EQ(counted[0], AccessCount(7));
  EXPECT_EQ(counted[1], AccessCount(5));
}

}  // namespace
}  // namespace lbhm
