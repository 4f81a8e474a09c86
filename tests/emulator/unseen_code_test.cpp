// What does the remark on unseen code say, and when does it stay away?
#include "emulator/core/unseen_code.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <thread>
#include <vector>

namespace lbhm::emulator {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// This test stands for an instrumented module: it is one object, and the functions of libc are in another.
class UnseenCode : public ::testing::Test {
 protected:
  UnseenCode() {
    note_instrumented_code(reinterpret_cast<const void*>(&getpid));
    seen_.object = object_of(reinterpret_cast<const void*>(&getpid));
  }
  TimeSamples seen_{.object = 0, .file = "/lib/libseen.so", .milliseconds = 9500};
  TimeSamples unseen_{.object = 1, .file = "/opt/libfoo.so", .milliseconds = 500};
};

TEST_F(UnseenCode, FivePercentAreNotWorthARemark) {
  EXPECT_THAT(unseen_code_remark(std::vector{seen_, unseen_}), IsEmpty());
}

TEST_F(UnseenCode, MoreIsNamedWithItsTimeAndAccesses) {
  unseen_.milliseconds = 501;
  EXPECT_THAT(unseen_code_remark(std::vector{seen_, unseen_}),
              AllOf(HasSubstr("about 501000000 accesses"), HasSubstr("501 ms of 10001 ms"),
                    HasSubstr("libfoo.so (501 ms)"), Not(HasSubstr("libseen"))));
}

TEST_F(UnseenCode, AFewMillisecondsMayBeChance) {
  seen_.milliseconds = 0;
  unseen_.milliseconds = 99;
  EXPECT_THAT(unseen_code_remark(std::vector{seen_, unseen_}), IsEmpty());
}

TEST_F(UnseenCode, RuntimesAreNoPartOfTheProgram) {
  for (const char* const file : {"/usr/lib/libomp.so.5", "/lib/x86_64-linux-gnu/libkmod.so.2"}) {
    const TimeSamples runtime{.object = 2, .file = file, .milliseconds = 5000};
    EXPECT_THAT(unseen_code_remark(std::vector{seen_, runtime}), IsEmpty()) << file;
  }
}

TEST_F(UnseenCode, TheLargestComesFirst) {
  const TimeSamples larger{.object = 3, .file = "/opt/libbar.so", .milliseconds = 4000};
  unseen_.milliseconds = 1000;
  EXPECT_THAT(unseen_code_remark(std::vector{seen_, unseen_, larger}),
              HasSubstr("libbar.so (4000 ms), libfoo.so (1000 ms)"));
}

/// Uses processor time in this very object. How much it was in the end, in milliseconds: on a busy computer, more.
double spin(std::clock_t duration) {
  static std::atomic<std::uint64_t> turns{0};
  const std::clock_t begin = std::clock();
  while (std::clock() < begin + duration)
    for (int i = 0; i < 20'000; ++i) turns.fetch_add(1, std::memory_order_relaxed);
  return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(TimeSamples, FallIntoTheObjectThatUsesTheTime) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  GTEST_SKIP() << "there are no samples under ThreadSanitizer";
#endif
  const auto in_this_object = [] {
    std::uint64_t here = 0;
    for (const TimeSamples& sampled : time_samples())
      if (sampled.object == object_of(reinterpret_cast<const void*>(&spin))) here += sampled.milliseconds;
    return here;
  };
  const std::uint64_t before = in_this_object();
  double used = 0;
  std::thread([&] {
    ThreadTimer timer;
    timer.start();
    used = spin(CLOCKS_PER_SEC / 5);
  }).join();
  const std::uint64_t here = in_this_object() - before;
  EXPECT_GT(here, used / 5) << "less than was used: a tick counts 10 ms at most, and a hypervisor may take longer ones";
  EXPECT_LT(here, used * 1.5);
}

/// All samples that `work` adds in a thread of its own.
template <class Work>
std::uint64_t sampled_during(Work work) {
  const auto sum = [] {
    std::uint64_t all = 0;
    for (const TimeSamples& sampled : time_samples()) all += sampled.milliseconds;
    return all;
  };
  const std::uint64_t before = sum();
  std::thread([&] {
    ThreadTimer timer;
    timer.start();
    work();
  }).join();
  return sum() - before;
}

TEST(TimeSamples, LeaveOutWhatTheEmulatorDoes) {
  EXPECT_LT(sampled_during([] {
              const EmulatorsOwnTime own;
              spin(CLOCKS_PER_SEC / 10);
            }),
            10u);
}

TEST(TimeSamples, LeaveOutWaits) {
  EXPECT_LT(sampled_during([] {
              EmulatorsOwnTime::thread_waits(true);
              spin(CLOCKS_PER_SEC / 10);
              EmulatorsOwnTime::thread_waits(false);
            }),
            10u);
}

TEST(TimeSamples, LeaveOutPauses) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  GTEST_SKIP() << "there are no samples under ThreadSanitizer";
#endif
  EXPECT_LT(sampled_during([] {
              sample_time(false);
              spin(CLOCKS_PER_SEC / 10);
              sample_time(true);
            }),
            10u);
  EXPECT_GT(sampled_during([] { spin(CLOCKS_PER_SEC / 5); }), 40u) << "sampled again";
}

}  // namespace
}  // namespace lbhm::emulator
