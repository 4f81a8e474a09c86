#include "emulator/machine/daemons.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "emulator/machine/emulated_machine.h"
#include "emulator/machine/thread_state.h"
#include "runtime/base/thread_end.h"

namespace lbhm::emulator {

Daemons::~Daemons() {
  if (!thread_.joinable()) return;
  stop_.store(true);
  asked_.open();
  // A child made by fork(2) has this object, but not its thread.
  process_ == getpid() ? thread_.join() : thread_.detach();
}

void Daemons::add(Core& core, Picoseconds interval, Picoseconds now, std::function<void()> duty) {
  const std::lock_guard guard(lock_);
  daemons_.push_back({.core = &core, .interval = interval, .next = now + interval, .duty = std::move(duty)});
  next_.store(std::min(next_.load(), now + interval));
}

/// No signal of the program comes to this thread: a handler would run in the midst of a quantum's end.
void Daemons::start_thread() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this, seen = asked_.value()] { serve(seen); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  process_ = getpid();
  running_.store(true);
}

void Daemons::serve(std::uint32_t seen) {
  const EmulatorsOwnTime own;
  number_.store(gettid());
  while (true) {
    while (asked_.value() == seen) asked_.wait(seen, std::chrono::hours(1));
    ++seen;
    if (stop_.load()) return;
    run_due();
    done_.open();
  }
}

void Daemons::begin() {
  const std::lock_guard guard(lock_);
  if (!daemons_.empty() && !thread_.joinable() && !ended_) start_thread();
}

void Daemons::end() {
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  rest();
}

bool Daemons::rest() {
  {
    const std::lock_guard guard(lock_);
    if (!running_.exchange(false)) return false;
  }
  stop_.store(true);
  asked_.open();
  thread_.join();
  wait_until_gone(number_);
  stop_.store(false);
  return true;
}

/// Without a thread, intervals pass.
void Daemons::pass_over(Picoseconds now) {
  const std::lock_guard guard(lock_);
  Picoseconds next = never;
  for (Daemon& daemon : daemons_) {
    if (daemon.next <= now) daemon.next += ((now - daemon.next) / daemon.interval + 1) * daemon.interval;
    next = std::min(next, daemon.next);
  }
  next_.store(next);
}

void Daemons::run(Picoseconds now) {
  if (lost() || (process_ != 0 && process_ != getpid())) return;
  if (!running_.load()) return pass_over(now);
  const std::uint32_t seen = done_.value();
  now_.store(now);
  asked_.open();
  if (!done_.wait(seen, patience_)) lost_.store(true);
}

void Daemons::run_due() {
  const Picoseconds now = now_.load();
  Picoseconds next = never;
  for (std::size_t i = 0;; ++i) {
    Daemon* daemon = nullptr;
    {
      const std::lock_guard guard(lock_);
      if (i == daemons_.size()) {
        next_.store(next);
        return;
      }
      daemon = &daemons_[i];  // stays where it is when others come
    }
    if (daemon->next <= now) run_one(*daemon, now);
    next = std::min(next, daemon->next);
  }
}

void Daemons::run_one(Daemon& daemon, Picoseconds now) {
  machine_.guard([&] {
    ThreadState* thread = ThreadState::current();
    thread->bind(machine_, *daemon.core);
    daemon.core->begin_duty(now, machine_.measuring());
    daemon.duty();
    thread->flush(machine_);
    daemon.core->end_duty();
  });
  // A daemon that is still at it when its time comes again lets that time pass.
  const Picoseconds busy_until = std::max(now, daemon.core->model().clock());
  daemon.next += ((busy_until - daemon.next) / daemon.interval + 1) * daemon.interval;
}

}  // namespace lbhm::emulator
