// Is what a thread measured in the report when the thread has ended?
#include "runtime/record/code_regions.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "lbhm/code_regions.h"
#include "runtime/record/report_json.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

struct Nobody final : RegionSink {
  std::uint32_t number_of(const void*) override { return 0; }
  void region_begins(const void*) override {}
  void region_ended(RegionInstance&, Nanoseconds) override {}
  void region_forgotten() override {}
};

/// All records of a linked file.
lbhm_code_region region{
    .bytes = sizeof region, .line = 7, .id = 0x1234, .slot = 0, .kind = LBHM_REGION_LOOP, .flags = 0, .text = "a.c\0f"};

TEST(CodeRegions, WhatThreadsMeasuredThatHaveEndedIsReported) {
  fake::FakeMachine machine({10, 10});
  Nobody sink;
  PageIntervals intervals{machine.execution(), nullptr};
  Lanes lanes{machine, {}, intervals, sink};
  std::atomic<bool> used{false};
  lbhm_code_regions_v1(&region, &region + 1);
  measure_code_regions(machine, lanes, 1000, used);
  const auto run = [] {
    lbhm_code_region_begin_v1(&region, &region);
    lbhm_code_region_end_v1(&region, &region);
  };
  run();
  for (int i = 0; i < 3; ++i) std::thread(run).join();
  stop_code_regions();
  const auto regions = record::code_regions_json();
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0]["lanes"][0]["executions"], 4);
  EXPECT_EQ(regions[0]["lanes"][0]["inclusive"]["executions"], 4);
}

}  // namespace
}  // namespace lbhm
