// Do hint faults see who touched what, while the program notices nothing?
#include <gmock/gmock.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "runtime/host/sampling/hint_faults.h"
#include "runtime/host/sampling/samplers.h"
#include "tests/runtime/host/sampling/mapped_pages.h"

namespace lbhm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

thread_local std::uint32_t lane = 0;

class HintFaults : public testing::Test {
 protected:
  void SetUp() override {
    lane = 0;
    std::string why;
    ObserverOptions options;
    options.accessed = "faults";
    options.most_per_second = 1e9;
    options.lane = [] { return LaneId(lane); };
    observer = make_page_observer(options, why);
    ASSERT_TRUE(observer) << why;
    observer->drain_hint_faults(before);
    // On a busy computer a thread of the test before may have been in our handler for long.
    while (sampling::HintFaults::of_process().rests()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::vector<HintFault> drain() {
    std::vector<HintFault> faults;
    observer->drain_hint_faults(faults);
    return faults;
  }
  std::unique_ptr<HostPageObserver> observer;
  std::vector<HintFault> before;
};

TEST_F(HintFaults, EachPageThatIsTouchedIsSeenOnceAndKeepsItsContents) {
  const MappedPages pages(10);
  for (std::size_t i = 0; i < 10; ++i) pages[i] = static_cast<char>(i + 1);
  observer->arm_hint_faults(pages.all());
  lane = 7;
  EXPECT_EQ(pages[3], 4);
  pages[5] = 50;
  EXPECT_EQ(pages[3], 4);
  EXPECT_EQ(pages[5], 50);
  const auto faults = drain();
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].page, pages.address(3));
  EXPECT_EQ(faults[0].lane, LaneId(7));
  EXPECT_EQ(faults[1].page, pages.address(5));
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_FALSE(faults[0].write);
  EXPECT_TRUE(faults[1].write);
#endif
  EXPECT_LE(faults[0].time, faults[1].time);
  EXPECT_THAT(drain(), IsEmpty());
}

TEST_F(HintFaults, DisarmedPagesAreNotSeenAndTheKernelMayUseThem) {
  const MappedPages pages(4);
  pages[0] = 'x';
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  observer->arm_hint_faults(pages.all());
  EXPECT_EQ(write(pipe_ends[1], pages.data(), 1), -1);  // what the door warns of
  EXPECT_EQ(errno, EFAULT);
  observer->disarm(std::span(pages.all()).first(2));
  EXPECT_EQ(write(pipe_ends[1], pages.data(), 1), 1);
  pages[1] = 1;
  observer->disarm_all();
  pages[3] = 1;
  EXPECT_THAT(drain(), IsEmpty());
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(HintFaults, ThreadsThatRaceForPagesLoseNoWrite) {
  constexpr std::size_t count = 64;
  constexpr std::size_t rounds = 200, most_rounds = 100 * rounds;  // more where the threads get little time
  const MappedPages pages(count);
  std::atomic<bool> done{false};
  std::vector<std::uint64_t> written(2);
  const auto work = [&](std::size_t me) {
    lane = static_cast<std::uint32_t>(me + 1);
    auto* const words = reinterpret_cast<volatile std::uint64_t*>(pages.data());
    const std::size_t step = pages.page() / sizeof(std::uint64_t);
    for (std::size_t i = 0; !done.load(std::memory_order_relaxed); ++i) {
      volatile std::uint64_t& word = words[i % count * step + me];
      word = word + 1;
      ++written[me];
    }
  };
  std::thread first(work, 0), second(work, 1);
  std::size_t faults = 0, round = 0;
  for (; round < rounds || (faults <= count && round < most_rounds); ++round) {
    observer->arm_hint_faults(pages.all());
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    for (const HintFault& fault : drain()) {
      EXPECT_TRUE(fault.lane == LaneId(1) || fault.lane == LaneId(2));
      ++faults;
    }
  }
  done = true;
  first.join();
  second.join();
  observer->disarm_all();
  std::vector<std::uint64_t> kept(2);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const words = reinterpret_cast<const std::uint64_t*>(pages.data() + i * pages.page());
    kept[0] += words[0];
    kept[1] += words[1];
  }
  EXPECT_EQ(kept, written);
  EXPECT_GT(faults, count);
  EXPECT_LE(faults, round * count);  // once for each time that a page was armed
}

// What the program does with SIGSEGV of its own.

sigjmp_buf back;
volatile sig_atomic_t calls = 0;
volatile bool had_info = false;
void leave(int, siginfo_t* info, void*) {
  calls = calls + 1;
  had_info = info && info->si_addr != nullptr;
  siglongjmp(back, 1);
}

void install(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

/// True if the program's own handler was called for this access.
bool faults(volatile char* at) {
  if (sigsetjmp(back, 1)) return true;
  *at = 1;
  return false;
}

class ProgramsHandler : public HintFaults {
 protected:
  void SetUp() override {
    HintFaults::SetUp();
    calls = 0;
    sigaction(SIGSEGV, nullptr, &saved);
  }
  void TearDown() override {
    observer.reset();
    sigaction(SIGSEGV, &saved, nullptr);
  }
  struct sigaction saved{};
};

TEST_F(ProgramsHandler, AProgramThatHandlesItsOwnFaultsStillDoes) {
  install(leave);
  const MappedPages pages(2), guard(1);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  observer->arm_hint_faults(pages.all());
  for (int time = 1; time <= 3; ++time) {
    EXPECT_TRUE(faults(guard.data()));
    EXPECT_EQ(calls, time);
    EXPECT_TRUE(had_info);
  }
  observer->arm_hint_faults(pages.all());  // the handler had SIGSEGV blocked: nothing stayed armed
  EXPECT_FALSE(faults(pages.data()));      // ours: the program hears nothing of it
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(drain().size(), 1U);
}

TEST_F(ProgramsHandler, AHandlerThatComesLaterIsKeptFromTheNextArmingOn) {
  const MappedPages pages(2), guard(1);
  observer->arm_hint_faults(pages.all());
  observer->disarm_all();
  install(leave);
  observer->arm_hint_faults(pages.all());
  mprotect(guard.data(), guard.page(), PROT_NONE);
  EXPECT_TRUE(faults(guard.data()));
  EXPECT_FALSE(faults(pages.data()));
  EXPECT_EQ(calls, 1);
}

TEST_F(ProgramsHandler, ProgramsThatUnprotectInTheirHandlerGoOn) {
  static char* page = nullptr;
  static std::size_t bytes = 0;
  install([](int, siginfo_t*, void*) {
    calls = calls + 1;
    mprotect(page, bytes, PROT_READ | PROT_WRITE);
  });
  const MappedPages pages(1), theirs(1);
  page = theirs.data();
  bytes = theirs.page();
  observer->arm_hint_faults(pages.all());
  for (int time = 1; time <= 3; ++time) {
    mprotect(page, bytes, PROT_NONE);
    theirs[0] = 9;
    EXPECT_EQ(calls, time);
    EXPECT_EQ(theirs[0], 9);
  }
}

using HintFaultsDeathTest = HintFaults;

TEST_F(HintFaultsDeathTest, AWildPointerStillEndsTheProgram) {
  const MappedPages pages(2), guard(1);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  observer->arm_hint_faults(pages.all());
  EXPECT_DEATH(guard[0] = 1, "");
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(8) = 1, "");
}

TEST_F(HintFaultsDeathTest, PagesThatWereUnmappedMeanwhileFaultAsEver) {
  MappedPages pages(2);
  observer->arm_hint_faults(pages.all());
  auto* const at = pages.data();
  munmap(at, pages.page());
  EXPECT_DEATH(*static_cast<volatile char*>(at) = 1, "");
  // And memory that takes their place is the program's.
  observer->arm_hint_faults(std::span(pages.all()).last(1));
  void* const again = mmap(at, pages.page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  ASSERT_EQ(again, at);
  *static_cast<volatile char*>(at) = 1;
  pages[1] = 1;
  EXPECT_EQ(drain().size(), 1U);
}

TEST_F(HintFaultsDeathTest, PagesThatAreReadOnlyStaySo) {
  const MappedPages pages(1);
  pages[0] = 5;
  mprotect(pages.data(), pages.page(), PROT_READ);
  observer->arm_hint_faults(pages.all());
  EXPECT_EQ(pages[0], 5);
  EXPECT_EQ(drain().size(), 1U);
  EXPECT_DEATH(pages[0] = 1, "");
}

TEST_F(HintFaults, PagesThatTheProgramForbadeAreLeftAlone) {
  const MappedPages pages(3);
  mprotect(pages.data() + pages.page(), pages.page(), PROT_NONE);
  observer->arm_hint_faults(pages.all());
  pages[0] = 1;
  pages[2] = 1;
  EXPECT_EQ(drain().size(), 2U);
  observer->disarm_all();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_EQ(write(pipe_ends[1], pages.data() + pages.page(), 1), -1);  // still forbidden
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(HintFaults, AForkedChildSeesItsMemory) {
  const MappedPages pages(3);
  pages[1] = 42;
  observer->arm_hint_faults(pages.all());
  const pid_t child = fork();
  if (child == 0) _exit(pages[1] == 42 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(pages[1], 42);
}

TEST_F(HintFaults, MoreMappingsThanTheKernelAllowsCostHintsButNoData) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer maps memory itself, and ends where the kernel has no room for mappings";
#endif
#endif
  constexpr std::size_t count = 150000;  // every second page is a mapping of its own: more than max_map_count (65530)
  const MappedPages pages(count);
  for (std::size_t i = 0; i < count; i += 2) pages[i] = static_cast<char>(i % 127);
  observer->arm_hint_faults(pages.all());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; i += 2) wrong += pages[i] != static_cast<char>(i % 127);
  EXPECT_EQ(wrong, 0U);
  const std::size_t seen = drain().size();
  EXPECT_GT(seen, 1000U);
  if (seen < count / 2) { EXPECT_THAT(observer->remarks(), testing::Contains(HasSubstr("max_map_count"))); }
}

TEST_F(HintFaults, TimesAndArmingAgain) {
  const MappedPages pages(1);
  for (int time = 0; time < 3; ++time) {
    observer->arm_hint_faults(pages.all());
    observer->arm_hint_faults(pages.all());  // twice is once
    pages[0] = 1;
    EXPECT_EQ(drain().size(), 1U);
  }
}

}  // namespace
}  // namespace lbhm
