#include "libomp-ext/virtual/order/sleepers.h"

#include <sched.h>

#include <atomic>
#include <mutex>

namespace lbhm::openmp {
namespace {

constinit std::mutex lock;
constinit Sleeper* first = nullptr;
constinit std::atomic<int> count{0};

Nanoseconds now() { return engine::virtual_now(Nanoseconds(0)).value_or(Nanoseconds(0)); }

}  // namespace

Sleeper::Sleeper(const void* what, std::optional<clock::Time> left, bool (*has_come)(const void*), const void* asked)
    : what_(what), has_come_(has_come), asked_(asked), lane_(engine::lane_name()) {
  if (left) deadline_ = now() + Nanoseconds(static_cast<double>(*left));
}

Sleeper::~Sleeper() {
  if (!listed_) return;
  const std::lock_guard guard(lock);
  Sleeper** place = &first;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  count.fetch_sub(1);
}

/// The alarm is in whole picoseconds, and may be a fraction of one early.
bool Sleeper::is_over() const { return deadline_ && now() + Nanoseconds(0.001) >= *deadline_; }

void Sleeper::sleep() {
  if (!listed_) {
    const std::lock_guard guard(lock);
    Sleeper** end = &first;
    while (*end) end = &(*end)->next_;
    *end = this;
    listed_ = true;
    count.fetch_add(1);
  }
  engine::sleep_in_order({.deadline = deadline_, .has_come = has_come_, .what = asked_});
  // A lane that was given up did not sleep: it comes back in step, and asks again and again.
  if (engine::virtual_now(Nanoseconds(0)) && !woken_) sched_yield();
}

int wake_sleepers(const void* what, int most) {
  const std::lock_guard guard(lock);
  int woken = 0;
  for (Sleeper* sleeper = first; sleeper && woken != most; sleeper = sleeper->next_) {
    if (sleeper->what_ != what || (what != the_kernel && sleeper->woken_)) continue;
    sleeper->woken_ = true;
    ++woken;
    engine::wake(sleeper->lane_);
  }
  return woken;
}

bool any_sleeper() { return count.load() > 0; }

}  // namespace lbhm::openmp
