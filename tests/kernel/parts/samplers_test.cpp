// Do samples name the right page and the right lane?
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <map>
#include <thread>

#include "facts/memory.h"
#include "lbhm/samplers.h"

namespace lbhm {
namespace {

using facts::Pages;

bool holds(const Pages& pages, std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(pages.at(0)) < pages.bytes();
}

std::unique_ptr<ThreadSampler> faults_sampler() {
  std::string why;
  SamplerOptions options;
  options.kind = "faults";
  options.where = [](std::span<const std::uintptr_t>, std::span<TierId> out) {
    for (TierId& tier : out) tier = TierId(1);
  };
  auto sampler = make_sampler(options, why);
  EXPECT_TRUE(sampler) << sampler.error().message();
  return sampler ? std::move(*sampler) : nullptr;
}

TEST(Samplers, PageFaultsNamePageAndLane) {
  const Pages of_lane[] = {Pages(100), Pages(50), Pages(25)};
  auto sampler = faults_sampler();
  ASSERT_NE(sampler, nullptr);
  {
    std::vector<std::jthread> lanes;
    for (std::uint32_t lane = 0; lane < 3; ++lane) {
      lanes.emplace_back([&, lane] {
        sampler->lane_begins(LaneId(lane));
        of_lane[lane].touch();
        sampler->thread_ends();
      });
    }
  }
  std::vector<AccessSample> samples;
  EXPECT_EQ(sampler->drain(samples), 0U);
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    std::size_t found = 0;
    for (const AccessSample& sample : samples) {
      if (!holds(of_lane[lane], sample.address)) continue;
      ++found;
      EXPECT_EQ(sample.lane, LaneId(lane));
    }
    EXPECT_EQ(found, of_lane[lane].count()) << "lane " << lane;
  }
  for (const std::string& remark : sampler->remarks()) std::puts(remark.c_str());
}

TEST(Samplers, AThreadThatBecomesAnotherLaneIsTakenForItFromThenOn) {
  const Pages first(64), second(64);
  auto sampler = faults_sampler();
  ASSERT_NE(sampler, nullptr);
  sampler->lane_begins(LaneId(3));
  first.touch();
  sampler->lane_begins(LaneId(7));
  second.touch();
  sampler->thread_ends();
  std::vector<AccessSample> samples;
  sampler->drain(samples);
  std::map<std::uint32_t, int> of_lane;
  for (const AccessSample& sample : samples) {
    if (holds(first, sample.address)) EXPECT_EQ(sample.lane, LaneId(3));
    if (holds(second, sample.address)) EXPECT_EQ(sample.lane, LaneId(7));
    ++of_lane[sample.lane.value];
  }
  EXPECT_GE(of_lane[3], 64);
  EXPECT_GE(of_lane[7], 64);
}

TEST(Samplers, WhatTheProcessorCannotSampleIsRefusedWithAReason) {
  for (const char* const kind : {"pebs", "ibs", "spe"}) {
    std::string why;
    SamplerOptions options;
    options.kind = kind;
    auto sampler = make_sampler(options, why);
    ASSERT_FALSE(sampler) << kind;
    std::printf("%s: %s\n", kind, sampler.error().message().c_str());
    EXPECT_EQ(sampler.error().code(), StatusCode::unavailable);
  }
}

}  // namespace
}  // namespace lbhm
