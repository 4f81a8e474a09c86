// Does a fork wait for what no child may find half-way, and for nothing else?
#include "runtime/own_memory/no_fork.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace lbhm {
namespace {

/// What the handlers of liblbhm.so do.
pid_t fork_well() {
  fork_begins();
  const pid_t child = fork();
  child == 0 ? fork_ends_in_child() : fork_ends_in_parent();
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(NoFork, AForkWaitsForThoseOfOthers) {
  std::atomic<int> entered{0};
  std::atomic<bool> leave{false}, left{false};
  std::thread other([&] {
    const NoFork whole;
    ++entered;
    while (!leave) std::this_thread::yield();
    left = true;
  });
  while (entered == 0) std::this_thread::yield();
  std::thread later([&] {
    while (waiting_to_fork == 0) std::this_thread::yield();
    const NoFork whole;  // comes in all the same: `other` might wait for this thread
    leave = true;
  });
  fork_begins();
  EXPECT_TRUE(left);
  fork_ends_in_parent();
  other.join();
  later.join();
}

TEST(NoFork, AThreadThatForksWithinOneWaitsForNobody) {
  const NoFork whole;
  const pid_t child = fork_well();
  if (child == 0) _exit(0);
  EXPECT_EQ(status_of(child), 0);
}

TEST(NoFork, AHandlerOfAForkMayComeBack) {
  fork_begins();
  { const NoFork whole; }
  fork_ends_in_parent();
  std::thread([] { const NoFork whole; }).join();
}

TEST(NoFork, AForkGetsItsTurnAmongThreadsThatAlwaysHaveOne) {
  std::atomic<bool> stop{false};
  std::mutex list;  // as the loader's: who has a NoFork waits for it
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        const NoFork whole;
        const std::scoped_lock lock(list);
      }
    });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork_well();
    if (child == 0) {
      const NoFork whole;
      _exit(list.try_lock() ? 0 : 1);  // nobody was looking at it
    }
    EXPECT_EQ(status_of(child), 0) << i;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lbhm
