// Does a program that changes its pages and its signals get what it asked for while its pages are watched? The
// functions of libomp-ext/signals stand in front of libc's in this program, as liblbhm.so's do.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/engine/engine.h"
#include "runtime/host/sampling/samplers.h"
#include "tests/runtime/host/sampling/mapped_pages.h"

namespace lbhm::engine {

// No engine runs here: mappings are no objects.
Bytes mapping_minimum() { return Bytes(UINT64_MAX); }
void* map_object(Bytes, const void*) { return nullptr; }
bool release_mapping(void*, Bytes, const void*) { return false; }
void end_objects(void*, Bytes, const void*) {}

}  // namespace lbhm::engine

namespace lbhm::openmp {

// Time is real here.
std::optional<int> poll_by_clock(pollfd*, nfds_t, const timespec*, const void*) { return std::nullopt; }
std::optional<int> select_by_clock(int, fd_set*, fd_set*, fd_set*, const timespec*, const void*) {
  return std::nullopt;
}
std::optional<int> epoll_by_clock(int, epoll_event*, int, const timespec*, const void*) { return std::nullopt; }
void limit_passed(const timespec*, const void*) {}

}  // namespace lbhm::openmp

namespace lbhm {
namespace {

sigjmp_buf back;
volatile sig_atomic_t calls = 0;
void leave(int) {
  calls = calls + 1;
  siglongjmp(back, 1);
}

/// True if the program's handler was called for this store.
bool faults(volatile char* where) {
  if (sigsetjmp(back, 1)) return true;
  *where = 1;
  return false;
}

class Signals : public testing::Test {
 protected:
  void SetUp() override {
    calls = 0;
    std::string why;
    ObserverOptions options;
    options.accessed = "faults";
    options.most_per_second = 1e9;
    options.lane = [] { return LaneId(0); };
    observer = make_page_observer(options, why);
    ASSERT_TRUE(observer) << why;
    ASSERT_EQ(pipe(pipe_ends), 0);
    arm();
    ASSERT_TRUE(refused(0));
    seen();
  }
  /// After an obstacle it takes a while until somebody looks whether it is still there.
  static void wait_for_rest() { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }
  void TearDown() override {
    observer->disarm_all();
    signal(SIGSEGV, SIG_DFL);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
  }
  void arm() { observer->arm_hint_faults(pages.all()); }
  void* at(std::size_t page) const { return pages.data() + page * pages.page(); }
  /// The kernel may not read this page for the program: it is forbidden, or watched.
  bool refused(std::size_t page) const { return write(pipe_ends[1], at(page), 1) != 1; }
  /// Hint faults since the last call.
  std::size_t seen() {
    std::vector<HintFault> found;
    observer->drain_hint_faults(found);
    return found.size();
  }
  const MappedPages pages{8};
  std::unique_ptr<HostPageObserver> observer;
  int pipe_ends[2];
};

TEST_F(Signals, APageThatTheProgramProtectsIsProtected) {
  signal(SIGSEGV, leave);
  ASSERT_EQ(mprotect(at(0), pages.page(), PROT_READ), 0);
  EXPECT_FALSE(refused(0)) << "the kernel may read it at once";
  EXPECT_TRUE(faults(&pages[0]));
  arm();
  EXPECT_TRUE(faults(&pages[0])) << "also after a hint fault";
  EXPECT_EQ(pages[0], 0);
  observer->disarm_all();
  EXPECT_TRUE(faults(&pages[0])) << "also after watching";
  EXPECT_EQ(calls, 3);
}

TEST_F(Signals, WriteBarriersSeeTheFirstStoreOfEachPageAndNoOther) {
  static const MappedPages* barrier = &pages;
  barrier = &pages;
  struct sigaction action{};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    calls = calls + 1;
    const auto page = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(barrier->page() - 1);
    mprotect(reinterpret_cast<void*>(page), barrier->page(), PROT_READ | PROT_WRITE);
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  for (int round = 1; round <= 3; ++round) {
    mprotect(pages.data(), 8 * pages.page(), PROT_READ);
    arm();
    for (int store = 0; store < 2; ++store)
      for (std::size_t i = 0; i < 8; ++i) pages[i] = static_cast<char>(round);
    EXPECT_EQ(calls, 8 * round);
  }
}

TEST_F(Signals, MemoryThatIsUnmappedIsTheNextOwners) {
  ASSERT_EQ(munmap(at(2), pages.page()), 0);
  ASSERT_EQ(mmap(at(2), pages.page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), at(2));
  ASSERT_EQ(mmap(at(3), pages.page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), at(3));
  observer->disarm_all();
  EXPECT_TRUE(refused(2));
  EXPECT_TRUE(refused(3));
  EXPECT_FALSE(refused(4));
}

TEST_F(Signals, MemoryThatMovesMayBeUsedWhereItIs) {
  pages[5] = 7;
  arm();
  void* const elsewhere = mremap(at(5), pages.page(), 2 * pages.page(), MREMAP_MAYMOVE);
  ASSERT_NE(elsewhere, MAP_FAILED);
  EXPECT_EQ(write(pipe_ends[1], elsewhere, 1), 1) << std::strerror(errno);
  EXPECT_EQ(*static_cast<volatile char*>(elsewhere), 7);
  munmap(elsewhere, 2 * pages.page());
  ASSERT_EQ(mmap(at(5), pages.page(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), at(5));
}

TEST_F(Signals, AThreadMayBlockTheSignalAndUseItsMemory) {
  for (const auto block : {pthread_sigmask, sigprocmask}) {
    arm();
    sigset_t all, before;
    sigfillset(&all);
    block(SIG_BLOCK, &all, &before);
    pages[0] = 1;
    arm();
    pages[1] = 1;
    block(SIG_SETMASK, &before, nullptr);
    wait_for_rest();
  }
  EXPECT_EQ(seen(), 0U);
  arm();
  pages[2] = 1;
  EXPECT_EQ(seen(), 1U) << "watched on";
}

TEST_F(Signals, HandlersOfAWaitThatBlocksTheSignalMayUseTheMemory) {
  static const MappedPages* used = &pages;
  used = &pages;
  struct sigaction before{};
  struct sigaction action{};
  action.sa_handler = [](int) { (*used)[1] = 9; };
  sigaction(SIGUSR1, &action, &before);
  sigset_t usr1, mask;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
  arm();
  raise(SIGUSR1);  // waits
  sigfillset(&mask);
  sigdelset(&mask, SIGUSR1);
  EXPECT_EQ(sigsuspend(&mask), -1);
  EXPECT_EQ(pages[1], 9);
  pthread_sigmask(SIG_UNBLOCK, &usr1, nullptr);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(Signals, AHandlerThatBlocksTheSignalMayUseTheMemory) {
  static const MappedPages* used = &pages;
  used = &pages;
  struct sigaction before{};
  struct sigaction action{};
  action.sa_handler = [](int) { (*used)[1] = 9; };
  sigfillset(&action.sa_mask);
  arm();
  sigaction(SIGUSR1, &action, &before);
  arm();
  raise(SIGUSR1);
  EXPECT_EQ(pages[1], 9);
  sigaction(SIGUSR1, &before, nullptr);
  wait_for_rest();
}

TEST_F(Signals, TheProgramSeesItsOwnActionAndNoneOfOurFaults) {
  EXPECT_EQ(signal(SIGSEGV, leave), SIG_DFL);
  struct sigaction now{};
  sigaction(SIGSEGV, nullptr, &now);
  EXPECT_EQ(now.sa_handler, leave);
  EXPECT_EQ(now.sa_flags & SA_RESTART, SA_RESTART);
  EXPECT_FALSE(faults(&pages[0]));
  EXPECT_EQ(seen(), 1U);
  EXPECT_EQ(signal(SIGSEGV, SIG_DFL), leave);
  EXPECT_FALSE(faults(&pages[1]));
  EXPECT_EQ(seen(), 1U);
}

TEST_F(Signals, EveryWayToSetAHandlerSetsIt) {
  const MappedPages guard(1);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  using Set = __sighandler_t(int, __sighandler_t);
  int expected = 0;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  for (Set* const set : {signal, ssignal, sysv_signal, __sysv_signal, sigset}) {
#pragma clang diagnostic pop
    arm();
    EXPECT_NE(set(SIGSEGV, leave), SIG_ERR);
    EXPECT_FALSE(faults(&pages[0]));
    EXPECT_TRUE(faults(guard.data()));
    EXPECT_EQ(calls, ++expected);
  }
}

using SignalsDeathTest = Signals;

TEST_F(SignalsDeathTest, TheDefaultIsTheEnd) {
  const MappedPages guard(1);
  mprotect(guard.data(), guard.page(), PROT_NONE);
  signal(SIGSEGV, leave);
  signal(SIGSEGV, SIG_DFL);
  EXPECT_EXIT(guard[0] = 1, testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(Signals, ASignalThatIsSentIsIgnoredIfTheProgramSaysSo) {
  signal(SIGSEGV, SIG_IGN);
  EXPECT_EQ(raise(SIGSEGV), 0);
  EXPECT_FALSE(faults(&pages[0]));
}

TEST_F(Signals, AnAlternateStackInWatchedMemoryIsLeftAlone) {
  struct sigaction action{};
  action.sa_handler = leave;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  const MappedPages stack(16);
  observer->arm_hint_faults(stack.all());
  const stack_t mine{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = 16 * stack.page()};
  ASSERT_EQ(sigaltstack(&mine, nullptr), 0);
  observer->arm_hint_faults(stack.all());
  EXPECT_FALSE(faults(&pages[0])) << "a hint fault, on that stack";
  mprotect(at(1), pages.page(), PROT_READ);
  EXPECT_TRUE(faults(&pages[1]));
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
}

}  // namespace
}  // namespace lbhm
