// Does what the program and its user have said of memory come before what we would do with it?
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "tests/runtime/host/fake_computer.h"

namespace lbhm::host {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(BoundMemory, StaysWhereItIsUntilItIsTakenBack) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  computer.touch(object, 4);
  computer.memory->bind(object + page, Bytes(2 * page), true);
  EXPECT_THAT(computer.move(object, 4, fast),
              ElementsAre(PageStatus::moved, PageStatus::bound, PageStatus::bound, PageStatus::moved));
  EXPECT_THAT(computer.where(object, 4), ElementsAre(fast, slow, slow, fast));
  EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(2 * page));
  EXPECT_THAT(computer.memory->remarks(), Contains(HasSubstr("8192 bytes of managed memory are bound")));
  computer.memory->bind(object, Bytes(4 * page), false);
  EXPECT_THAT(computer.move(object + page, 2, fast), Each(PageStatus::moved));
}

TEST(BoundMemory, HasNoPreferenceOfOurs) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  computer.memory->bind(object, Bytes(2 * page), true);
  ASSERT_TRUE(computer.memory->prefer(object, Bytes(4 * page), fast_first).ok());
  computer.touch(object, 4);
  EXPECT_THAT(computer.where(object, 4), ElementsAre(slow, slow, fast, fast));
}

TEST(BoundMemory, TakesNoRoomOfOurs) {
  Computer computer(Bytes(2 * page));
  computer.memory->prefer_default(fast_first);
  const auto object = computer.object(2);
  ASSERT_EQ(computer.memory->room(fast), Bytes(0));
  computer.memory->bind(object, Bytes(2 * page), true);
  EXPECT_EQ(computer.memory->room(fast), Bytes(2 * page));
}

TEST(BoundMemory, IsForgottenWithItsObjectAndKeptOfNobodyElses) {
  Computer computer(MiB(64));
  computer.memory->bind(0, Bytes(std::uint64_t{1} << 56), true);
  EXPECT_EQ(computer.memory->bound(0, Bytes(std::uint64_t{1} << 56)), Bytes(0));
  const auto object = computer.object(4);
  computer.memory->bind(0, Bytes(std::uint64_t{1} << 56), true);
  EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(4 * page));
  computer.memory->release(reinterpret_cast<void*>(object), Bytes(4 * page));
  EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(0));
}

/// On a thread that prefers node 0 by name, as numactl --preferred=0 does.
template <class Work>
void with_policy(const Work& work) {
  std::thread([&] {
    const unsigned long node_0 = 1;
    if (syscall(SYS_set_mempolicy, MPOL_PREFERRED, &node_0, 64) != 0) GTEST_SKIP() << "the kernel knows no policies";
    work();
  }).join();
}

TEST(BoundMemory, WhatAThreadWithAPolicyAsksForIsBound) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  with_policy([&] {
    EXPECT_FALSE(computer.memory->thread_binds()) << "nobody has said so";
    computer.memory->bind_by_threads();
    EXPECT_TRUE(computer.memory->thread_binds());
    const auto object = computer.object(4);
    EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(4 * page));
    EXPECT_FALSE(computer.promised.contains(object)) << "no preference of ours is in the way";
  });
  const auto object = computer.object(4);
  EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(0)) << "other threads have none";
}

TEST(BoundMemory, APolicyOfTheProcessBindsAllThatIsAskedFor) {
  with_policy([] {
    Computer computer(MiB(64));
    EXPECT_TRUE(computer.memory->thread_binds());
  });
}

TEST(BoundMemory, AThreadsPolicyIsAboutPagesThatNobodyHasTouched) {
  Computer computer(MiB(64));
  computer.memory->prefer_default(slow_first);
  const auto object = computer.object(4);
  *reinterpret_cast<volatile char*>(object) = 1;  // the real kernel is asked, too
  computer.touch(object, 1);
  computer.memory->bind_by_threads();
  EXPECT_EQ(computer.memory->bound(object, Bytes(4 * page)), Bytes(3 * page));
  EXPECT_THAT(computer.move(object, 1, fast), ElementsAre(PageStatus::moved));
}

}  // namespace
}  // namespace lbhm::host
