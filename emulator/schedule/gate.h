// A number on which threads sleep until it changes.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <utility>

#include "runtime/own_memory/inside.h"

namespace lbhm::emulator {

/// Straight on the futex, because std::atomic::wait knows no time-out and a condition variable makes all the threads
/// that wake up queue for one mutex.
class Gate {
 public:
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }

  /// Everybody who waits for a change goes on.
  void open() {
    if (Sleepers* sleepers = unlock()) wake(sleepers);
  }

  using Sleepers = std::atomic<std::uint32_t>;
  /// The gate is open, but sleepers are not woken yet; null if there are none.
  Sleepers* unlock() {
    value_.fetch_add(1);
    return sleepers_.load() == 0 ? nullptr : &value_;
  }
  /// The gate may be gone meanwhile.
  static void wake(Sleepers* sleepers) {
    const Inside here;
    syscall(SYS_futex, sleepers, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// Sleeps while the value is `seen`. False if it still is after `limit`. Before, it lets the others run once: often
  /// the gate is open then, and a turn costs a third of sleeping and being woken. Not so where other programs want the
  /// processor too: each turn is one of their time slices then, and a sleeper is woken before the slice ends.
  bool wait(std::uint32_t seen, std::chrono::milliseconds limit) const {
    if (value() == seen) let_others_run();
    if (value() != seen) return true;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    sleepers_.fetch_add(1);
    const bool open = sleep(seen, deadline);
    sleepers_.fetch_sub(1);
    return open;
  }

 private:
  bool sleep(std::uint32_t seen, std::chrono::steady_clock::time_point deadline) const {
    const Inside here;  // no futex of the program's
    while (value_.load() == seen) {
      const auto left = deadline - std::chrono::steady_clock::now();
      if (left <= left.zero()) return false;
      const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
      const timespec time{.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000};
      syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, seen, &time, nullptr, 0);
    }
    return true;
  }

  static void let_others_run() {
    static constexpr auto long_turn = std::chrono::milliseconds(1);  // the shortest slice of Linux is 0.75 ms
    static constexpr int pause = 64;
    static thread_local int skipped = 0;
    if (skipped > 0) {
      --skipped;
      return;
    }
    const auto before = std::chrono::steady_clock::now();
    sched_yield();
    if (std::chrono::steady_clock::now() - before >= long_turn) skipped = pause;
  }

  std::atomic<std::uint32_t> value_{0};
  mutable std::atomic<std::uint32_t> sleepers_{0};
};

/// A mutex whose owners open gates. Who sleeps there is woken when the mutex is free: on another processor a thread is
/// there at once, and would sleep again.
class GateLock {
 public:
  void lock() { mutex_.lock(); }
  void unlock() {
    std::array<Gate::Sleepers*, most> waiting;
    std::copy_n(waiting_.begin(), count_, waiting.begin());
    const std::size_t count = std::exchange(count_, 0);
    mutex_.unlock();
    for (std::size_t i = 0; i < count; ++i) Gate::wake(waiting[i]);
  }
  /// By its owner.
  void open(Gate& gate) {
    Gate::Sleepers* const sleepers = gate.unlock();
    if (sleepers == nullptr) return;
    if (count_ < waiting_.size())
      waiting_[count_++] = sleepers;
    else
      Gate::wake(sleepers);
  }

 private:
  std::mutex mutex_;
  static constexpr std::size_t most = 64;
  std::size_t count_ = 0;
  std::array<Gate::Sleepers*, most> waiting_{};  // the first count_
};

}  // namespace lbhm::emulator
