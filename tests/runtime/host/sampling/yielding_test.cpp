// Does watching yield to whatever the program does with its memory and its signals?
#include <gmock/gmock.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "runtime/host/sampling/samplers.h"
#include "runtime/host/sampling/watching.h"
#include "tests/runtime/host/sampling/mapped_pages.h"

namespace lbhm {
namespace {

using testing::Contains;
using testing::HasSubstr;
using watching::Pause;

class Yielding : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    ObserverOptions options;
    options.accessed = "faults";
    options.most_per_second = 1e9;
    options.lane = [] { return LaneId(0); };
    observer = make_page_observer(options, why);
    ASSERT_TRUE(observer) << why;
    ASSERT_EQ(pipe(pipe_ends), 0);
    sigaction(SIGSEGV, nullptr, &saved);
  }
  void TearDown() override {
    observer.reset();
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    watching::segv_action(&saved, nullptr, ::sigaction);
  }
  void arm(const MappedPages& pages) { observer->arm_hint_faults(pages.all()); }
  /// Asks the kernel, which sees no hint fault.
  bool armed(const MappedPages& pages, std::size_t page) const {
    const bool refused = write(pipe_ends[1], pages.data() + page * pages.page(), 1) != 1;
    EXPECT_TRUE(!refused || errno == EFAULT);
    return refused;
  }
  std::size_t count_armed(const MappedPages& pages) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pages.all().size(); ++i) count += armed(pages, i);
    return count;
  }
  void expect_nothing_is_armed_because(const MappedPages& pages, const char* why) {
    arm(pages);
    EXPECT_EQ(count_armed(pages), 0U);
    EXPECT_THAT(observer->remarks(), Contains(HasSubstr(why)));
  }
  /// After an obstacle it takes a while until somebody looks whether it is still there.
  void look_again(const MappedPages& pages) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    arm(pages);
  }
  std::unique_ptr<HostPageObserver> observer;
  int pipe_ends[2];
  struct sigaction saved{};
};

TEST_F(Yielding, APauseOfARangePutsItBackAndLeavesTheOthers) {
  const MappedPages pages(8);
  arm(pages);
  ASSERT_EQ(count_armed(pages), 8U);
  {
    const Pause pause(pages.data() + 2 * pages.page(), 3 * pages.page());
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(armed(pages, i), i < 2 || i > 4) << i;
    arm(pages);
    EXPECT_FALSE(armed(pages, 3)) << "armed in a pause";
  }
  arm(pages);
  EXPECT_EQ(count_armed(pages), 8U);
}

TEST_F(Yielding, APauseOfEverythingPutsEverythingBack) {
  const MappedPages pages(8);
  arm(pages);
  const Pause pause;
  EXPECT_EQ(count_armed(pages), 0U);
}

/// A thread that has SIGSEGV blocked from the constructor to the destructor.
class BlockingThread {
 public:
  BlockingThread() : thread_([this] { run(); }) {
    while (!ready_) std::this_thread::yield();
  }
  ~BlockingThread() {
    done_ = true;
    thread_.join();
  }

 private:
  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    ready_ = true;
    while (!done_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::atomic<bool> ready_{false}, done_{false};
  std::thread thread_;
};

TEST_F(Yielding, NothingIsArmedAsLongAsAThreadBlocksTheSignal) {
  const MappedPages pages(4);
  {
    const BlockingThread thread;
    expect_nothing_is_armed_because(pages, "a thread of the program blocks SIGSEGV");
  }
  look_again(pages);
  EXPECT_EQ(count_armed(pages), 4U);
}

TEST_F(Yielding, ThreadsOfOurOwnMayBlockIt) {
  const MappedPages pages(4);
  std::atomic<bool> ready{false}, done{false};
  std::thread thread([&] {
    const watching::OwnThread own(gettid());
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    ready = true;
    while (!done) std::this_thread::yield();
  });
  while (!ready) std::this_thread::yield();
  arm(pages);
  EXPECT_EQ(count_armed(pages), 4U);
  done = true;
  thread.join();
}

TEST_F(Yielding, NothingIsArmedAsLongAsAHandlerBlocksTheSignal) {
  const MappedPages pages(4);
  struct sigaction blocking{}, before{};
  blocking.sa_handler = [](int) {};
  sigfillset(&blocking.sa_mask);
  sigaction(SIGUSR2, &blocking, &before);
  expect_nothing_is_armed_because(pages, "the program's handler of signal 12");
  sigaction(SIGUSR2, &before, nullptr);
  look_again(pages);
  EXPECT_EQ(count_armed(pages), 4U);
}

TEST_F(Yielding, AnAlternateStackIsNeverArmed) {
  const MappedPages pages(8);
  arm(pages);
  watching::alternate_stack(pages.data() + 2 * pages.page(), 2 * pages.page());
  EXPECT_FALSE(armed(pages, 2));
  arm(pages);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(armed(pages, i), i != 2 && i != 3) << i;
  watching::alternate_stack(nullptr, 0);
  arm(pages);
  EXPECT_EQ(count_armed(pages), 8U);
}

int exit_status(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(Yielding, AForkedChildHasItsMemoryAtOnceAndIsNotWatched) {
  const MappedPages pages(100);
  arm(pages);
  const pid_t child = fork();
  if (child == 0) {
    std::size_t found = count_armed(pages);
    arm(pages);
    found += count_armed(pages);
    _exit(found == 0 ? 0 : 1);
  }
  EXPECT_EQ(exit_status(child), 0);
  arm(pages);
  EXPECT_EQ(count_armed(pages), 100U) << "the parent is watched on";
}

TEST_F(Yielding, ForksBesideThreadsThatFaultAndArmDoNotHang) {
  const MappedPages pages(64);
  std::atomic<bool> done{false};
  std::thread faulting([&] {
    while (!done)
      for (std::size_t i = 0; i < 64; ++i) pages[i] = 1;
  });
  std::thread arming([&] {
    while (!done) arm(pages);
  });
  int bad = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      for (std::size_t page = 0; page < 64; ++page) pages[page] = 2;
      _exit(count_armed(pages) == 0 ? 0 : 1);
    }
    bad += exit_status(child) != 0;
  }
  done = true;
  faulting.join();
  arming.join();
  EXPECT_EQ(bad, 0);
}

TEST_F(Yielding, WhatTheProgramForbidsMeanwhileStaysForbidden) {
  const MappedPages pages(64);
  std::atomic<bool> done{false};
  std::thread arming([&] {
    while (!done) arm(pages);
  });
  std::size_t wrong = 0;
  for (int round = 0; round < 300; ++round) {
    {
      const Pause pause(pages.data(), 64 * pages.page());
      mprotect(pages.data(), 64 * pages.page(), PROT_READ);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    observer->disarm_all();
    {
      const Pause pause(pages.data(), 64 * pages.page());
      // The kernel may read it but not write to it.
      wrong += count_armed(pages);
      for (std::size_t i = 0; i < 64; ++i) wrong += read(pipe_ends[0], pages.data() + i * pages.page(), 1) == 1;
      mprotect(pages.data(), 64 * pages.page(), PROT_READ | PROT_WRITE);
    }
    char drained[64];
    while (round % 8 == 7 && read(pipe_ends[0], drained, sizeof drained) == 64) break;
  }
  done = true;
  arming.join();
  EXPECT_EQ(wrong, 0U);
}

// The program's handler, called through ours.

volatile char* touched = nullptr;
volatile sig_atomic_t calls = 0;
volatile bool on_stack = false;
std::uintptr_t stack_first = 0, stack_end = 0;
sigjmp_buf back;

void note_stack(int) {
  const auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));  // locals may be on a fake stack
  on_stack = at >= stack_first && at < stack_end;
  calls = calls + 1;
  if (touched) *touched = 1;
  siglongjmp(back, 1);
}

void install(int flags) {
  calls = 0;
  struct sigaction action{};
  action.sa_handler = note_stack;
  action.sa_flags = flags;
  watching::segv_action(&action, nullptr, ::sigaction);
}

void fault_at(volatile char* where) {
  if (sigsetjmp(back, 1) == 0) *where = 1;
}

/// The calling thread's alternate stack, painted.
class AlternateStack {
 public:
  explicit AlternateStack(std::size_t bytes) : memory_(bytes, paint) {
    const stack_t stack{.ss_sp = memory_.data(), .ss_flags = 0, .ss_size = bytes};
    EXPECT_EQ(sigaltstack(&stack, nullptr), 0);
    stack_first = reinterpret_cast<std::uintptr_t>(memory_.data());
    stack_end = stack_first + bytes;
  }
  ~AlternateStack() {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
  std::size_t used() const {
    return static_cast<std::size_t>(memory_.end() - std::ranges::find_if(memory_, [](char c) { return c != paint; }));
  }

 private:
  static constexpr char paint = 0x5a;
  std::vector<char> memory_;
};

TEST_F(Yielding, HandlersRunOnTheStackThatTheyAskedFor) {
  const MappedPages pages(1), guard(1);
  arm(pages);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  const AlternateStack stack(1 << 16);
  install(SA_ONSTACK);
  fault_at(guard.data());
  EXPECT_TRUE(on_stack);
  install(0);
  fault_at(guard.data());
  EXPECT_FALSE(on_stack);
  EXPECT_EQ(calls, 1);
}

TEST_F(Yielding, OnceAndNoDeferKeepTheirMeaning) {
  const MappedPages pages(1), guard(1);
  arm(pages);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  install(static_cast<int>(SA_RESETHAND));
  fault_at(guard.data());
  EXPECT_EQ(calls, 1);
  struct sigaction now{};
  watching::segv_action(nullptr, &now, ::sigaction);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST_F(Yielding, AHandlerThatBlocksItsSignalMayTouchWatchedMemory) {
  const MappedPages pages(2), guard(1);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  arm(pages);
  install(0);
  arm(pages);
  touched = pages.data();
  fault_at(guard.data());
  touched = nullptr;
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(pages[0], 1);
}

/// What the handler needs beside what the kernel writes there itself: the rest of the smallest stack is the program's.
TEST_F(Yielding, AHintFaultNeedsLittleOfASmallAlternateStack) {
  const auto kernel = static_cast<std::size_t>(sysconf(_SC_MINSIGSTKSZ));
  const MappedPages pages(4);
  install(SA_ONSTACK);
  struct sigaction empty{}, before{};
  empty.sa_handler = [](int) {};
  empty.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &empty, &before);
  const AlternateStack stack(kernel + 4096);
  raise(SIGUSR2);
  const std::size_t frame = stack.used();
  EXPECT_GT(frame, 0U);
  arm(pages);
  pages[0] = 1;
  EXPECT_EQ(calls, 0);
  std::printf("a hint fault used %zu bytes of its stack, %zu of them the kernel's own\n", stack.used(), frame);
#if defined(NDEBUG) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  EXPECT_LE(stack.used(), frame + 1024);
#endif
  sigaction(SIGUSR2, &before, nullptr);
}

}  // namespace
}  // namespace lbhm
