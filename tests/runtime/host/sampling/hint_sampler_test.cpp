// Do hint faults tell which lane uses which managed pages, again and again, and what is a sample worth?
#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <set>
#include <thread>

#include "runtime/host/sampling/samplers.h"
#include "tests/runtime/host/sampling/mapped_pages.h"

namespace lbhm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class HintSampler : public testing::Test {
 protected:
  void start(std::size_t pages, double most_per_second = 1e9, const std::string& root = "/") {
    memory = std::make_unique<MappedPages>(pages);
    for (std::size_t i = 0; i < pages; ++i) (*memory)[i] = 1;
    SamplerOptions options;
    options.kind = "hints";
    options.most_per_second = most_per_second;
    options.root = root;
    options.managed = [this](const UseRanges& use) {
      const ManagedRange all{memory->address(0), Bytes((memory->all().size() - freed) * memory->page())};
      if (!moving) use({&all, 1});
    };
    options.where = [](std::span<const std::uintptr_t> pages_asked, std::span<TierId> out) {
      for (std::size_t i = 0; i < pages_asked.size(); ++i) out[i] = TierId(1);
    };
    std::string why;
    auto made = make_sampler(options, why);
    ASSERT_TRUE(made) << made.error().message();
    sampler = std::move(*made);
    sampler->lane_begins(LaneId(0));
    drain();
  }
  void TearDown() override { sampler.reset(); }
  std::vector<AccessSample> drain() {
    std::vector<AccessSample> samples;
    lost = sampler->drain(samples);
    return samples;
  }
  void touch(std::size_t first, std::size_t pages) {
    for (std::size_t i = first; i < first + pages; ++i) (*memory)[i] = static_cast<char>((*memory)[i] + 1);
  }
  double lines() const { return static_cast<double>(memory->page()) / 64; }

  std::unique_ptr<MappedPages> memory;
  bool moving = false;
  std::size_t freed = 0;  // pages at the end of the memory that are managed no longer
  std::uint64_t lost = 0;
  std::unique_ptr<ThreadSampler> sampler;  // ends before the memory does
};

TEST_F(HintSampler, EveryRegionSeesWhichLaneUsesWhichPagesAgain) {
  start(200);
  for (int region = 0; region < 3; ++region) {
    sampler->region_begins();
    const auto work = [&](std::uint32_t lane) {
      sampler->lane_begins(LaneId(lane));
      touch(lane * 100, 50);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    sampler->region_ends();
    touch(0, 200);  // serial code is not sampled
    const auto samples = drain();
    ASSERT_EQ(samples.size(), 100U);
    for (std::size_t i = 0; i < samples.size(); ++i) {  // by lane, then by time
      EXPECT_EQ(samples[i].lane, LaneId(i < 50 ? 0 : 1));
      EXPECT_EQ(samples[i].address, memory->address(i < 50 ? i : i + 50));
      EXPECT_EQ(samples[i].tier, TierId(1));
    }
    EXPECT_EQ(lost, 0U);
  }
  EXPECT_EQ(sampler->period().value, lines());  // all pages were watched: a sample is a walk over one
}

TEST_F(HintSampler, LongRegionsSeeHotPagesMoreOften) {
  start(64);
  sampler->region_begins();
  touch(0, 64);
  for (int window = 0; window < 4; ++window) {
    sampler->interval_passed();
    touch(0, 16);
  }
  sampler->region_ends();
  std::size_t hot = 0, cold = 0;
  for (const AccessSample& sample : drain()) (sample.address < memory->address(16) ? hot : cold) += 1;
  EXPECT_EQ(hot, 16U * 5);
  EXPECT_EQ(cold, 48U);
  EXPECT_EQ(sampler->period().value, lines());
}

TEST_F(HintSampler, WhereOnlyAPartIsWatchedASampleStandsForTheOthers) {
  constexpr std::size_t pages = 1600;
  start(pages, 400);  // a quarter of these at once: one page in sixteen
  sampler->region_begins();
  touch(0, pages);
  sampler->region_ends();
  const auto samples = drain();
  EXPECT_LE(samples.size(), 112U);
  EXPECT_GT(samples.size(), 80U);
  const double accesses = static_cast<double>(samples.size()) * sampler->period().value;
  EXPECT_NEAR(accesses, pages * lines(), pages * lines() * 0.01);
  EXPECT_LT(samples.front().address, memory->address(pages / 4));
  EXPECT_GT(samples.back().address, memory->address(pages * 3 / 4));
}

TEST_F(HintSampler, EachRegionWatchesOtherPagesUntilAllWereSeen) {
  start(1600);
  sampler->set_period(AccessCount(lines() * 4));  // one page in four
  std::set<std::uintptr_t> seen;
  std::size_t samples = 0;
  for (int region = 0; region < 4; ++region) {
    sampler->region_begins();
    touch(0, 1600);
    sampler->region_ends();
    const auto fresh = drain();
    samples += fresh.size();
    for (const AccessSample& sample : fresh) seen.insert(sample.address);
    EXPECT_EQ(fresh.size(), 400U);
  }
  EXPECT_EQ(samples, 1600U);
  EXPECT_EQ(seen.size(), 1600U);
}

TEST_F(HintSampler, TheBudgetIsNotExceededAndWhatWentUnseenIsSaid) {
  const auto begin = std::chrono::steady_clock::now();
  start(256, 300);
  std::size_t samples = 0;
  for (int region = 0; region < 50; ++region) {
    sampler->region_begins();
    touch(0, 256);
    sampler->region_ends();
    samples += drain().size();
  }
  EXPECT_GT(samples, 60U);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(static_cast<double>(samples), 300 * (1 + took.count()));  // what a second brings, and what came meanwhile
  EXPECT_THAT(sampler->remarks(), testing::Contains(HasSubstr("of 50 parallel regions began unwatched")));
}

TEST_F(HintSampler, ALongRegionThatBeganUnwatchedIsWatchedAsSoonAsThatIsAffordable) {
  start(256, 300);
  do {
    sampler->region_begins();
    touch(0, 256);
    sampler->region_ends();
  } while (!drain().empty());  // what a second brings is used up
  sampler->region_begins();
  touch(0, 256);
  if (!drain().empty()) GTEST_SKIP() << "this machine is so busy that the region was affordable";
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  sampler->interval_passed();
  touch(0, 256);
  sampler->region_ends();
  EXPECT_GE(drain().size(), 16U);
}

TEST_F(HintSampler, PagesThatCannotBeWatchedAreSaid) {
  start(64, 1e9, "/nowhere");  // without /proc/self/maps
  sampler->region_begins();
  touch(0, 64);
  sampler->region_ends();
  EXPECT_THAT(drain(), IsEmpty());
  EXPECT_THAT(sampler->remarks(), testing::Contains(HasSubstr("/proc/self/task cannot be read")));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));  // it rests for a while, in other tests, too
}

TEST_F(HintSampler, BetweenRegionsTheKernelMayUseThePages) {
  start(4);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  sampler->region_begins();
  EXPECT_EQ(write(ends[1], memory->data(), 1), -1);  // what the remark warns of
  EXPECT_EQ(errno, EFAULT);
  EXPECT_THAT(sampler->remarks().front(), HasSubstr("EFAULT"));
  sampler->region_begins();  // nested
  sampler->region_ends();
  sampler->region_ends();
  EXPECT_EQ(write(ends[1], memory->data(), 1), 1);
  sampler->interval_passed();
  EXPECT_EQ(write(ends[1], memory->data(), 1), 1);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(HintSampler, WhatWasFreedInARegionIsNotArmedAgain) {
  start(200);
  sampler->region_begins();
  touch(0, 200);
  freed = 100;  // its addresses are somebody else's now
  sampler->interval_passed();
  drain();
  touch(0, 200);
  sampler->region_ends();
  const auto samples = drain();
  EXPECT_EQ(samples.size(), 100U);
  for (const AccessSample& sample : samples) EXPECT_LT(sample.address, memory->address(100));
}

TEST_F(HintSampler, NothingIsArmedWhilePagesMoveOrSamplingIsOff) {
  start(64);
  const auto region = [&] {
    sampler->region_begins();
    touch(0, 64);
    sampler->region_ends();
    return drain();
  };
  moving = true;
  EXPECT_THAT(region(), IsEmpty());
  moving = false;
  sampler->set_period(AccessCount(0));
  EXPECT_THAT(region(), IsEmpty());
  sampler->set_period(AccessCount(lines() * 4));  // one page in four
  EXPECT_EQ(region().size(), 16U);
}

TEST(MakeHintSampler, WithoutManagedMemoryItIsUnavailable) {
  SamplerOptions options;
  options.kind = "hints";
  std::string why;
  const auto made = make_sampler(options, why);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), StatusCode::unavailable);
  EXPECT_THAT(made.error().message(), HasSubstr("LBHM_SAMPLER=faults"));
}

TEST(MakeHintSampler, AutoNeverTakesIt) {
  SamplerOptions options;
  options.root = "/nowhere";  // no hardware samplers
  options.managed = [](const UseRanges&) {};
  std::string why;
  const auto made = make_sampler(options, why);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(*made == nullptr || !(*made)->remarks().front().contains("hint faults"));

  options.kind = "hints";
  const auto asked = make_sampler(options, why);
  ASSERT_TRUE(asked) << asked.error().message();
  EXPECT_THAT((*asked)->remarks().front(), HasSubstr("hint faults"));
}

}  // namespace
}  // namespace lbhm
