// Can a later thread be taken for the one that the work ran on?
#include "runtime/host/machine_threads.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace lbhm::host {
namespace {

constexpr std::chrono::seconds long_enough(20);

TEST(LastingThread, IsTheFirstOneIfThatAsks) {
  pid_t worker = 0;
  EXPECT_TRUE(run_on_lasting_thread([&] { worker = gettid(); }, long_enough));
  EXPECT_EQ(worker, getpid());
}

TEST(LastingThread, NoLaterThreadHasItsControlBlock) {
  pthread_t worker{};
  pthread_t caller{};
  std::thread([&] {
    caller = pthread_self();
    EXPECT_TRUE(run_on_lasting_thread([&] { worker = pthread_self(); }, long_enough));
  }).join();
  EXPECT_FALSE(pthread_equal(worker, caller));
  for (int i = 0; i < 100; ++i) std::thread([&] { EXPECT_FALSE(pthread_equal(pthread_self(), worker)); }).join();
}

TEST(LastingThread, GetsNoSignalsOfTheProgram) {
  bool blocked = false;
  bool own = true;
  std::thread([&] {
    const auto look = [&] {
      sigset_t now;
      pthread_sigmask(SIG_SETMASK, nullptr, &now);
      blocked = sigismember(&now, SIGTERM) == 1;
    };
    EXPECT_TRUE(run_on_lasting_thread(look, long_enough));
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    own = sigismember(&now, SIGTERM) == 1;
  }).join();
  EXPECT_TRUE(blocked);
  EXPECT_FALSE(own) << "the caller's signals are as before";
}

TEST(LastingThread, IsNotWaitedForForEver) {
  const auto go = std::make_shared<std::atomic<bool>>(false);
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  std::thread([&] {
    const auto work = [go, gone] {
      go->wait(false);
      *gone = true;
      gone->notify_one();
    };
    EXPECT_FALSE(run_on_lasting_thread(work, std::chrono::milliseconds(20)));
  }).join();
  *go = true;
  go->notify_one();
  gone->wait(false);  // it goes on
}

}  // namespace
}  // namespace lbhm::host
