#include "runtime/host/machine_threads.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <ctime>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "runtime/base/thread_end.h"
#include "runtime/host/sampling/watching.h"
#include "runtime/machine/machine.h"

namespace lbhm {
namespace {

std::chrono::nanoseconds processor_time(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void IntervalThread::add(Nanoseconds interval, std::function<void()> duty) {
  const auto span =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::nano>(interval.value));
  const std::lock_guard guard(lock_);
  duties_.push_back({.interval = span, .next = Clock::now() + span, .run = std::move(duty)});
  changed_.notify_all();
}

void IntervalThread::begin() {
  const std::lock_guard guard(lock_);
  if (!thread_.joinable() && !ended_) thread_ = quiet_thread([this](const std::stop_token& stop) { serve(stop); });
}

void IntervalThread::end() {
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  stop();
}

bool IntervalThread::stop() {
  std::jthread thread;
  {
    const std::lock_guard guard(lock_);
    thread = std::move(thread_);
  }
  if (!thread.joinable()) return false;
  thread.request_stop();
  thread.join();
  wait_until_gone(number_);
  return true;
}

/// Called with every object and region: a thread that does not rest costs a look at it.
void IntervalThread::wake() {
  if (!resting_.load()) return;
  const std::lock_guard guard(lock_);
  resting_.store(false);
  changed_.notify_all();
}

/// Whoever makes `idle_` untrue calls wake() afterwards: one of both sees what the other did.
void IntervalThread::rest(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  resting_.store(true);
  if (idle_()) changed_.wait(lock, stop, [this] { return !resting_.load(); });
  resting_.store(false);
}

/// While the program does nothing, nothing changes: the thread sleeps longer and longer, so that a program that waits
/// for hours is woken up ten times a second, not thousands of times. It is looked at once in a millisecond at most.
IntervalThread::Clock::duration IntervalThread::pause() {
  constexpr Clock::duration shortest = std::chrono::milliseconds(1), longest = std::chrono::milliseconds(100);
  constexpr int worth = 100;  // a program that uses less than this part of one processor waits for something
  const Clock::time_point now = Clock::now();
  if (now - looked_ < shortest) return pause_;
  const Clock::duration used = processor_time(CLOCK_PROCESS_CPUTIME_ID) - processor_time(CLOCK_THREAD_CPUTIME_ID);
  const bool waits = used - used_ < (now - looked_) / worth;
  pause_ = waits ? std::clamp(2 * pause_, shortest, longest) : Clock::duration::zero();
  looked_ = now;
  used_ = used;
  return pause_;
}

void IntervalThread::sleep(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  const auto earliest = std::ranges::min_element(duties_, {}, &Duty::next);
  const auto until = earliest == duties_.end() ? Clock::now() + std::chrono::hours(1) : earliest->next;
  const std::size_t known = duties_.size();
  const Clock::duration longer = idle_ ? pause() : Clock::duration::zero();
  resting_.store(longer > longer.zero());
  const bool may_be_woken = resting_.load();
  changed_.wait_until(lock, stop, std::max(until, Clock::now() + longer),
                      [&] { return duties_.size() != known || (may_be_woken && !resting_.load()); });
  if (may_be_woken && !resting_.exchange(false)) pause_ = Clock::duration::zero();
}

void IntervalThread::serve(const std::stop_token& stop) {
  std::unique_lock lock(lock_);
  number_.store(gettid());
  while (!stop.stop_requested()) {
    if (idle_) rest(lock, stop);
    run_due(lock);
    sleep(lock, stop);
  }
}

/// Intervals that passed while a duty ran are passed over.
void IntervalThread::run_due(std::unique_lock<std::mutex>& lock) {
  for (std::size_t i = 0; i < duties_.size(); ++i) {
    if (duties_[i].next > Clock::now()) continue;
    try {
      const auto run = duties_[i].run;  // the list may move while it runs
      lock.unlock();
      run();
      // NOLINTNEXTLINE(bugprone-empty-catch): no memory for our own lists, which must not end the program
    } catch (const std::bad_alloc&) {}
    if (!lock.owns_lock()) lock.lock();
    Duty& duty = duties_[i];
    duty.next += ((Clock::now() - duty.next) / duty.interval + 1) * duty.interval;
  }
}

Status run_every(IntervalThread& thread, Nanoseconds interval, std::function<void()> duty) {
  if (!is_interval(interval) || interval < Nanoseconds(1) || !duty)
    return {StatusCode::invalid_argument, "every: needs a function and an interval from 1 ns to 100 days"};
  try {
    thread.add(interval, std::move(duty));
    return {};
  } catch (const std::bad_alloc&) { return {StatusCode::no_memory, "every: no memory for one function more"}; }
}

Status begin(IntervalThread& thread) {
  try {
    thread.begin();
    return {};
  } catch (const std::system_error& error) {
    return {StatusCode::unavailable, std::string("every: no thread for the function (") + error.what() +
                                         "); raise the limit of threads (ulimit -u)"};
  } catch (const std::bad_alloc&) { return {StatusCode::no_memory, "every: no memory for a thread"}; }
}

}  // namespace lbhm

namespace lbhm::host {
namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // with the thread-local memory that all libraries have

using Work = std::function<void()>;

void* run(void* argument) {
  const watching::OwnThread own(gettid());
  const std::unique_ptr<Work> work(static_cast<Work*>(argument));
  (*work)();
  return nullptr;
}

/// Without the program's signals; they are inherited.
std::optional<pthread_t> start_on(void* stack, std::unique_ptr<Work> work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, stack_bytes);
  pthread_t thread{};
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, &attributes, run, work.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (!started) return std::nullopt;
  static_cast<void>(work.release());  // NOLINT(bugprone-unused-return-value): the thread's
  return thread;
}

std::optional<pthread_t> start(std::unique_ptr<Work> work) {
  void* const stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return std::nullopt;
  const auto thread = start_on(stack, std::move(work));
  if (!thread) munmap(stack, stack_bytes);
  return thread;
}

bool join_within(pthread_t thread, std::chrono::milliseconds patience) {
  constexpr std::chrono::nanoseconds second = std::chrono::seconds(1);
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const std::chrono::nanoseconds fraction = std::chrono::nanoseconds(until.tv_nsec) + patience;
  until.tv_sec += fraction / second;
  until.tv_nsec = (fraction % second).count();
  if (pthread_timedjoin_np(thread, nullptr, &until) == 0) return true;
  pthread_detach(thread);
  return false;
}

}  // namespace

bool run_on_lasting_thread(const Work& work, std::chrono::milliseconds patience) {
  if (gettid() == getpid()) {
    work();
    return true;
  }
  const auto thread = start(std::make_unique<Work>(work));
  return thread && join_within(*thread, patience);
}

}  // namespace lbhm::host
