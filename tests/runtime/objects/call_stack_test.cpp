// Are the calls on the stack found as libgcc's unwinder finds them, through code of every make, and where they cannot
// be: is that said?
#include "runtime/objects/call_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <thread>
#include <utility>
#include <vector>

namespace lbhm {
namespace {

/// As arrays: it is filled in handlers of signals, too.
struct Found {
  std::array<std::uintptr_t, 100> all_addresses{}, all_at{};
  std::size_t count = 0;
  bool lost = false;

  void add(std::uintptr_t address, std::uintptr_t at) {
    if (count == all_at.size()) return;
    all_addresses[count] = address;
    all_at[count++] = at;
  }
  std::vector<std::uintptr_t> addresses() const { return {all_addresses.begin(), all_addresses.begin() + count}; }
  std::vector<std::uintptr_t> at() const { return {all_at.begin(), all_at.begin() + count}; }
};

_Unwind_Reason_Code note(_Unwind_Context* context, void* data) {
  auto& [found, is_first] = *static_cast<std::pair<Found, bool>*>(data);
  if (_Unwind_GetIP(context) == 0) return _URC_END_OF_STACK;
  if (!std::exchange(is_first, false)) found.add(_Unwind_GetIP(context), _Unwind_GetCFA(context) - sizeof(void*));
  return _URC_NO_REASON;
}

/// What both find for who calls look().
struct Both {
  Found ours, theirs;
};
Both last;

[[gnu::noinline]] void look() {
  last = {};
  StackCursor cursor(__builtin_frame_address(0));
  while (const auto call = cursor.next()) last.ours.add(call->address, cursor.at());
  last.ours.lost = cursor.lost();
  std::pair<Found, bool> theirs{{}, true};
  _Unwind_Backtrace(note, &theirs);
  last.theirs = theirs.first;
}

/// They found the same, to the end.
void expect_same() {
  EXPECT_FALSE(last.ours.lost);
  EXPECT_GE(last.ours.count, 3u);
  EXPECT_EQ(last.ours.addresses(), last.theirs.addresses());
  EXPECT_EQ(last.ours.at(), last.theirs.at());
}

int compare(const void* a, const void* b) {
  look();
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

TEST(CallStack, ThroughTheCLibrary) {
  std::array<int, 4> numbers{3, 1, 2, 0};
  qsort(numbers.data(), numbers.size(), sizeof(int), compare);
  expect_same();
  const int key = 2;
  EXPECT_NE(bsearch(&key, numbers.data(), numbers.size(), sizeof(int), compare), nullptr);
  expect_same();
  void* tree = nullptr;
  for (const int& number : numbers) tsearch(&number, &tree, compare);
  expect_same();
  twalk(tree, [](const void*, VISIT, int) { look(); });
  expect_same();
  tdestroy(tree, [](void*) { look(); });
  expect_same();
}

TEST(CallStack, ThroughStreams) {
  const auto write = [](void*, const char*, std::size_t bytes) {
    look();
    return static_cast<ssize_t>(bytes);
  };
  FILE* const file = fopencookie(nullptr, "w", {.read = nullptr, .write = write, .seek = nullptr, .close = nullptr});
  ASSERT_NE(file, nullptr);
  std::fprintf(file, "%f %s", 3.5, "words");
  std::fclose(file);
  expect_same();
  struct Buffer : std::streambuf {
    int_type overflow(int_type letter) override {
      look();
      return letter;
    }
  } buffer;
  std::ostream out(&buffer);
  out << 3.5 << "words" << std::hex << 17;
  expect_same();
}

TEST(CallStack, OfAnotherThread) {
  std::thread([] { look(); }).join();
  expect_same();
  std::once_flag once;
  std::thread([&once] { std::call_once(once, look); }).join();
  expect_same();
}

[[gnu::noinline]] void with_room_for(std::size_t bytes) {
  auto* const room = static_cast<volatile char*>(__builtin_alloca(bytes));
  room[bytes - 1] = 1;
  look();
  room[0] = 1;
}

TEST(CallStack, ThroughFramesOfAnySize) {
  for (std::size_t bytes = 1; bytes < 100'000; bytes = bytes * 3 + 1) {
    with_room_for(bytes);
    expect_same();
  }
}

TEST(CallStack, WhereAnExceptionIsOnItsWay) {
  struct Looks {
    ~Looks() { look(); }
  };
  try {
    const Looks looks;
    throw 1;
  } catch (int) {}
  expect_same();
}

[[gnu::noinline]] void aligned(int depth) {
  alignas(256) std::array<volatile char, 256> bytes;
  bytes[0] = 1;
  depth == 0 ? look() : aligned(depth - 1);
  bytes[1] = 1;
}

/// Either the same, or it says that it got lost after a part that is right.
void expect_right() {
  const auto ours = last.ours.addresses(), theirs = last.theirs.addresses();
  ASSERT_LE(ours.size(), theirs.size());
  EXPECT_TRUE(std::ranges::equal(ours, std::span(theirs).first(ours.size())));
  EXPECT_TRUE(last.ours.lost || ours.size() == theirs.size());
}

TEST(CallStack, ThroughFramesThatAlignThemselves) {
  for (int depth = 0; depth < 3; ++depth) {
    aligned(depth);
    expect_right();
  }
}

TEST(CallStack, SignalsAreLeftToTheUnwinder) {
  struct sigaction before{}, action{};
  action.sa_handler = [](int) { look(); };
  sigaction(SIGUSR1, &action, &before);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(last.ours.lost);
  expect_right();
}

TEST(CallStack, OfAStackThatTheProgramMade) {
  static ucontext_t here, there;
  std::vector<char> stack(std::size_t{1} << 20);
  ASSERT_EQ(getcontext(&there), 0);
  there.uc_stack.ss_sp = stack.data();
  there.uc_stack.ss_size = stack.size();
  there.uc_link = &here;
  makecontext(&there, look, 0);
  ASSERT_EQ(swapcontext(&here, &there), 0);
  EXPECT_TRUE(last.ours.lost);
}

TEST(CallStack, DamagedFramesEndIt) {
  std::array<void*, 4> frame{nullptr, reinterpret_cast<void*>(&compare), nullptr, nullptr};
  StackCursor cursor(frame.data());
  while (cursor.next()) {}
  EXPECT_TRUE(cursor.lost());
}

TEST(CallStack, ManyThreadsAtOnce) {
  std::atomic<int> wrong = 0;
  const auto ask = [&wrong] {
    std::vector<std::uintptr_t> first;
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::uintptr_t> found;
      StackCursor cursor(__builtin_frame_address(0));
      while (const auto call = cursor.next()) found.push_back(call->address ^ call->module.base);
      if (i == 0) first = found;
      if (found != first || cursor.lost()) ++wrong;
      known_call(static_cast<std::uintptr_t>(i) * 4096 + 1, 0);  // throws others out
    }
  };
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) thread = std::thread(ask);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace lbhm
