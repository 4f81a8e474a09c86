#include "runtime/base/kept_by_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace lbhm {
namespace {

std::atomic<int> alive{0};

struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
  int value = 0;
};

int next_of_thread() {
  static thread_local KeptByThread<Counted> kept;
  return ++(*kept).value;
}

TEST(KeptByThread, IsOfOneThreadAndGoneWhenItEnds) {
  EXPECT_EQ(next_of_thread(), 1);
  EXPECT_EQ(next_of_thread(), 2);
  std::thread([] {
    EXPECT_EQ(next_of_thread(), 1);
    EXPECT_EQ(alive, 2);
  }).join();
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace lbhm
