// Does the real kernel tell which lane touched which page first? Skipped where it forbids perf events.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "runtime/host/sampling/samplers.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

/// Pages that nobody touched yet, one by one.
class FreshPages {
 public:
  explicit FreshPages(std::size_t pages) : bytes_(pages * page) {
    at_ =
        static_cast<volatile char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    madvise(const_cast<char*>(at_), bytes_, MADV_NOHUGEPAGE);
  }
  ~FreshPages() { munmap(const_cast<char*>(at_), bytes_); }
  void touch(std::size_t first, std::size_t pages) const {
    for (std::size_t i = first; i < first + pages; ++i) at_[i * page] = 1;
  }
  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(at_); }
  bool has(std::uintptr_t address) const { return address - begin() < bytes_; }

 private:
  std::size_t bytes_;
  volatile char* at_;
};

SamplerOptions faults() {
  SamplerOptions options;
  options.kind = "faults";
  options.most_per_second = 1e9;
  options.where = [](std::span<const std::uintptr_t> pages, std::span<TierId> out) {
    for (std::size_t i = 0; i < pages.size(); ++i) out[i] = TierId(static_cast<std::uint8_t>(pages[i] / page % 2));
  };
  return options;
}

class PageFaultSampler : public testing::Test {
 protected:
  void start(const SamplerOptions& options) {
    std::string why;
    auto made = make_sampler(options, why);
    if (!made) GTEST_SKIP() << made.error().message();
    sampler = std::move(*made);
  }
  /// The samples of these pages.
  std::vector<AccessSample> samples_of(const FreshPages& pages, std::uint64_t* lost = nullptr) {
    std::vector<AccessSample> samples;
    const auto count = sampler->drain(samples);
    if (lost) *lost = count;
    std::erase_if(samples, [&](const AccessSample& sample) { return !pages.has(sample.address); });
    return samples;
  }
  std::unique_ptr<ThreadSampler> sampler;
};

TEST_F(PageFaultSampler, ThreadsThatComeAndGoUnreadDoNotFillTheMemory) {
  start(faults());
  if (!sampler) return;
  constexpr std::size_t threads = 100, kept = 64;
  const FreshPages pages(threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    std::jthread([&] {
      sampler->lane_begins(LaneId(1));
      pages.touch(thread, 1);
      sampler->thread_ends();
    });
  }
  EXPECT_EQ(samples_of(pages).size(), kept);
  EXPECT_THAT(sampler->remarks(), testing::Contains(HasSubstr("36 threads ended long before")));
}

TEST_F(PageFaultSampler, EachFirstTouchIsASampleOfTheLaneThatTouched) {
  start(faults());
  if (!sampler) return;
  const FreshPages pages(200);
  const auto lane = [&](std::uint32_t number) {
    sampler->lane_begins(LaneId(number));
    pages.touch(number * 100, 100);
    sampler->thread_ends();
  };
  std::thread first(lane, 0), second(lane, 1);
  first.join();
  second.join();
  const auto samples = samples_of(pages);
  ASSERT_EQ(samples.size(), 200U);
  for (std::size_t i = 0; i < samples.size(); ++i) {  // by lane, then by time
    EXPECT_EQ(samples[i].lane, LaneId(i < 100 ? 0 : 1));
    EXPECT_EQ(samples[i].address / page, pages.begin() / page + i);
    EXPECT_EQ(samples[i].tier, TierId(static_cast<std::uint8_t>(samples[i].address / page % 2)));
    EXPECT_TRUE(i == 0 || i == 100 || samples[i].time >= samples[i - 1].time);
  }
  EXPECT_THAT(samples_of(pages), IsEmpty());
}

TEST_F(PageFaultSampler, AThreadThatChangesItsLaneIsTwoLanes) {
  start(faults());
  if (!sampler) return;
  const FreshPages pages(10);
  sampler->lane_begins(LaneId(4));
  pages.touch(0, 5);
  sampler->lane_begins(LaneId(2));
  pages.touch(5, 5);
  const auto samples = samples_of(pages);
  sampler->thread_ends();
  ASSERT_EQ(samples.size(), 10U);
  for (const AccessSample& sample : samples)
    EXPECT_EQ(sample.lane, LaneId(sample.address < pages.begin() + 5 * page ? 4 : 2));
}

TEST_F(PageFaultSampler, NothingIsSampledWhileItIsOff) {
  start(faults());
  if (!sampler) return;
  const FreshPages pages(20);
  sampler->lane_begins(LaneId(0));
  sampler->set_period(AccessCount(0));
  pages.touch(0, 10);
  sampler->set_period(AccessCount(1));
  pages.touch(10, 10);
  EXPECT_EQ(samples_of(pages).size(), 10U);
  sampler->set_period(AccessCount(2));
  EXPECT_EQ(sampler->period(), AccessCount(2));
  sampler->thread_ends();
}

TEST_F(PageFaultSampler, TimesAreOnTheClockOfTheMachine) {
  auto options = faults();
  static double shown = 0;
  options.now = [] { return Nanoseconds(shown); };
  start(options);
  if (!sampler) return;
  const FreshPages pages(1);
  sampler->lane_begins(LaneId(0));
  pages.touch(0, 1);
  shown = 5e9;
  const auto samples = samples_of(pages);
  sampler->thread_ends();
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_LE(samples[0].time.value, 5e9);
  EXPECT_GT(samples[0].time.value, 0);  // five seconds ago at most, on a busy computer too
}

TEST_F(PageFaultSampler, MoreThanTheRingHoldsIsLostAndCounted) {
  start(faults());
  if (!sampler) return;
  constexpr std::size_t touched = 40000;  // of at least 32 bytes each: more than 256 KiB
  const FreshPages pages(touched + 1);
  sampler->lane_begins(LaneId(0));
  pages.touch(0, touched);
  std::uint64_t lost = 0;
  const std::size_t seen = samples_of(pages, &lost).size();
  pages.touch(touched, 1);  // the kernel tells with the next record
  std::uint64_t lost_later = 0;
  samples_of(pages, &lost_later);
  sampler->thread_ends();
  EXPECT_GT(seen, 1000U);
  EXPECT_LT(seen, touched);
  EXPECT_GE(seen + lost + lost_later, touched);
  EXPECT_LE(seen + lost + lost_later, touched * 5 / 4);  // the thread's other faults, a sanitizer's shadow included
}

TEST_F(PageFaultSampler, TooManySamplesASecondAreThinnedAndSaidSo) {
  auto options = faults();
  options.most_per_second = 10;  // so few that 2000 pages are too many, however long a busy computer takes
  start(options);
  if (!sampler) return;
  const FreshPages pages(4000);
  sampler->lane_begins(LaneId(0));
  pages.touch(0, 2000);
  EXPECT_NEAR(static_cast<double>(samples_of(pages).size()), 2000.0 / 16, 10);  // each stands for 16 from now on
  EXPECT_EQ(sampler->period(), AccessCount(16));
  // After so many samples in one tick the kernel itself stops for the rest of it.
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  pages.touch(2000, 2000);
  const auto later = static_cast<double>(samples_of(pages).size());
  EXPECT_NEAR(later * sampler->period().value, 2000, 600) << later << " samples";
  sampler->thread_ends();
  ASSERT_GE(sampler->remarks().size(), 2U);
  EXPECT_THAT(sampler->remarks().back(), HasSubstr("was slowed down"));
}

TEST(MakeSampler, AnUnknownKindIsRefusedWithTheKnownOnes) {
  std::string why;
  SamplerOptions options;
  options.kind = "psychic";
  const auto made = make_sampler(options, why);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), StatusCode::invalid_argument);
  EXPECT_THAT(made.error().message(), HasSubstr("auto, pebs, ibs, spe, hints, faults or none"));
}

TEST(MakeSampler, NoneIsNone) {
  std::string why;
  SamplerOptions options;
  options.kind = "none";
  const auto made = make_sampler(options, why);
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, nullptr);
  EXPECT_THAT(why, HasSubstr("LBHM_SAMPLER=none"));
}

TEST(MakeSampler, AMissingUnitIsNamedAndAutoSaysWhyItChoseWhatItChose) {
  SamplerOptions options;
  options.root = "/nowhere";
  std::string why;
  options.kind = "pebs";
  const auto pebs = make_sampler(options, why);
  ASSERT_FALSE(pebs);
  EXPECT_EQ(pebs.error().code(), StatusCode::unavailable);
  options.kind = "auto";
  ASSERT_TRUE(make_sampler(options, why));
  EXPECT_THAT(why, HasSubstr("sampler pebs"));
  EXPECT_THAT(why, HasSubstr("sampler spe"));
}

}  // namespace
}  // namespace lbhm
