// The eight workload characteristics: golden values by hand, and unknown events.
#include <gtest/gtest.h>

#include <cmath>

#include "model/learned/learned.h"
#include "model/model.h"

namespace lbhm {
namespace {

EventCounts example() {
  EventCounts raw;
  raw.instructions = 2000;
  raw.cycles = 4000;
  raw.memory_wait_cycles = 1000;
  raw.l2_load_misses = 50;
  raw.l3_load_misses = 20;
  raw.llc_misses = 30;
  raw.prefetches = 40;
  raw.prefetch_misses = 10;
  raw.branches = 200;
  raw.branch_mispredictions = 8;
  raw.vector_instructions = 500;
  return raw;
}

TEST(TaskEvents, GoldenValues) {
  const std::array<double, TaskEvents::count> expected{15, 0.5, 0.25, 0.25, 25, 0.04, 0.25, 10};
  const TaskEvents events = task_events(example());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(events.values[i], expected[i]) << TaskEvents::names[i];
  }
}

TEST(TaskEvents, DoNotDependOnTheLengthOfTheTask) {
  EventCounts longer = example();
  for (double* field : {&longer.instructions, &longer.cycles, &longer.memory_wait_cycles, &longer.l2_load_misses,
                        &longer.l3_load_misses, &longer.llc_misses, &longer.prefetches, &longer.prefetch_misses,
                        &longer.branches, &longer.branch_mispredictions, &longer.vector_instructions}) {
    *field *= 16;
  }
  EXPECT_EQ(task_events(longer).values, task_events(example()).values);
}

TEST(TaskEvents, AnEventThatCannotBeCountedMakesOnlyItsOwnCharacteristicUnknown) {
  EventCounts raw = example();
  raw.prefetch_misses = -1;
  const TaskEvents events = task_events(raw);
  for (std::size_t i = 0; i < TaskEvents::count; ++i) {
    EXPECT_EQ(std::isnan(events.values[i]), std::string_view(TaskEvents::names[i]) == "PRF_Miss");
  }
}

TEST(CorrelationFeatures, GoldenValues) {
  EventCounts raw = example();
  raw.useless_prefetches = 4;
  raw.load_occupancy = 1600;
  raw.load_cycles = 400;
  raw.buffers_full_cycles = 500;
  raw.page_cycles_2 = 300;
  raw.page_cycles_4 = 200;
  raw.page_cycles_8 = 100;
  const Traffic traffic{.all_use = 0.75, .own_use = 0.125, .rate = 0.25, .lanes = 4};
  const std::array<double, CorrelationFeatures::count> expected{
      15,    0.5,  0.25,  0.25, 25,   0.04, 0.25, 10, 20,        0.1, 100, 1000.0 / 30, 4, 20,
      0.125, 0.75, 0.125, 0.25, 0.75, 0.5,  0.25, 3,  20.0 / 30, 0.1, 4};
  const HomogeneousTimes times{Nanoseconds(400), Nanoseconds(100), 0};
  const auto features = correlation_features(raw, traffic, times);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_DOUBLE_EQ(features.values[i], expected[i]) << CorrelationFeatures::names[i];
}

TEST(CorrelationFeatures, BeginWithTheEightOfThePaper) {
  for (std::size_t i = 0; i < TaskEvents::count; ++i) EXPECT_STREQ(CorrelationFeatures::names[i], TaskEvents::names[i]);
}

TEST(CorrelationFeatures, AreUnknownWhereNothingWasMeasured) {
  for (double value : correlation_features(EventCounts{}, {}, {}).values) EXPECT_TRUE(std::isnan(value));
}

TEST(TaskEvents, NoEventsAtAllAreUnknownNotZero) {
  for (double value : task_events(EventCounts{}).values) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace lbhm
