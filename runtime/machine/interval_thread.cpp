#include "runtime/machine/interval_thread.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "runtime/machine/machine.h"
#include "runtime/machine/quiet_thread.h"

namespace lbhm {

void IntervalThread::add(Nanoseconds interval, std::function<void()> duty) {
  const auto span =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::nano>(interval.value));
  const std::lock_guard guard(lock_);
  if (!thread_.joinable()) thread_ = quiet_thread([this](const std::stop_token& stop) { serve(stop); });
  duties_.push_back({.interval = span, .next = Clock::now() + span, .run = std::move(duty)});
  changed_.notify_all();
}

void IntervalThread::serve(const std::stop_token& stop) {
  std::unique_lock lock(lock_);
  while (!stop.stop_requested()) {
    run_due(lock);
    const auto earliest = std::ranges::min_element(duties_, {}, &Duty::next);
    const auto until = earliest == duties_.end() ? Clock::now() + std::chrono::hours(1) : earliest->next;
    const std::size_t known = duties_.size();
    changed_.wait_until(lock, stop, until, [&] { return duties_.size() != known; });
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
  } catch (const std::system_error& error) {
    return {StatusCode::unavailable, std::string("every: no thread for the function (") + error.what() +
                                         "); raise the limit of threads (ulimit -u)"};
  } catch (const std::bad_alloc&) { return {StatusCode::no_memory, "every: no memory for one function more"}; }
}

}  // namespace lbhm
