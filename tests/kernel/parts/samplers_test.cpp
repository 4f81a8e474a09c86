// Do samples name the right page and the right lane?
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "facts/memory.h"
#include "runtime/host/sampling/samplers.h"

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
  options.most_per_second = 1e9;  // no limit: every fault is to be found again
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

/// The lane of the thread that runs, as the machine would tell it.
thread_local LaneId lane_of_thread{};

TEST(Samplers, HintFaultsNamePageAndLaneOnceAndLeaveTheDataAlone) {
  const Pages of_lane[] = {Pages(40), Pages(20)};
  for (const Pages& pages : of_lane) pages.touch();
  std::string why;
  ObserverOptions options;
  options.lane = [] { return lane_of_thread; };
  options.hint_faults = true;
  const auto observer = make_page_observer(options, why);
  ASSERT_NE(observer, nullptr) << why;
  std::vector<std::uintptr_t> armed;
  for (const Pages& pages : of_lane) {
    for (void* const page : pages.addresses()) armed.push_back(reinterpret_cast<std::uintptr_t>(page));
  }
  observer->arm_hint_faults(armed);
  {
    std::vector<std::jthread> lanes;
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      lanes.emplace_back([&, lane] {
        lane_of_thread = LaneId(lane + 5);
        EXPECT_TRUE(of_lane[lane].intact());
        EXPECT_TRUE(of_lane[lane].intact());
      });
    }
  }
  std::vector<HintFault> faults;
  observer->drain_hint_faults(faults);
  EXPECT_EQ(faults.size(), 60U);
  for (const HintFault& fault : faults) {
    EXPECT_EQ(fault.lane, LaneId(holds(of_lane[0], fault.page) ? 5 : 6));
    EXPECT_TRUE(holds(of_lane[0], fault.page) || holds(of_lane[1], fault.page));
  }
  observer->disarm(armed);
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

/// Of a kernel that has it: Debian's 6.12, not its 6.1.
TEST(Samplers, DamonFindsTheMemoryThatIsUsed) {
  std::string why;
  ObserverOptions options;
  options.accessed = "damon";
  auto observer = make_page_observer(options, why);
  if (!observer) {
    EXPECT_NE(why.find("CONFIG_DAMON_SYSFS"), std::string::npos) << why;
    GTEST_SKIP() << why;
  }
  constexpr std::size_t count = 8192;  // pages: 32 MiB
  const Pages used(count);
  const Pages left(count);
  used.touch();
  left.touch();
  const auto accessed = [&](const Pages& pages) {
    std::vector<std::uintptr_t> addresses;
    for (std::size_t i = 0; i < count; ++i) addresses.push_back(reinterpret_cast<std::uintptr_t>(pages.at(i)));
    const auto bits = std::make_unique<bool[]>(count);
    observer->scan_accessed(addresses, {bits.get(), count}, true);
    return std::count(bits.get(), bits.get() + count, true);
  };
  long of_used = 0;
  long of_left = 0;
  const auto enough = [&] { return of_used > static_cast<long>(count) / 2 && of_used > 4 * of_left; };
  for (int look = 0; look < 100 && !enough(); ++look) {  // regions need some time to follow
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (std::chrono::steady_clock::now() < end) used.touch();
    of_used = accessed(used);
    of_left = accessed(left);
  }
  std::printf("DAMON: accessed are %ld pages of %zu that are used, %ld of as many that are not\n", of_used, count,
              of_left);
  EXPECT_TRUE(enough());
}

}  // namespace
}  // namespace lbhm
