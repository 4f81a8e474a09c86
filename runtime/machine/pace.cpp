#include "runtime/machine/pace.h"

#include <algorithm>
#include <thread>

namespace lbhm::host {
namespace {

/// No sleep is longer, whatever the limit: the machine ends when its threads do.
constexpr std::chrono::duration<double, std::nano> longest = std::chrono::seconds(1);

}  // namespace

void Pace::wait() const {
  if (!(limit_.value > 0)) return;
  Clock::time_point free_at;
  {
    const std::lock_guard guard(lock_);
    free_at = free_at_;
  }
  std::this_thread::sleep_until(free_at);
}

void Pace::took(Bytes bytes) {
  if (!(limit_.value > 0)) return;
  const auto cost = std::min(longest, std::chrono::duration<double, std::nano>(double(bytes.value) / limit_.value));
  const std::lock_guard guard(lock_);
  free_at_ = std::max(free_at_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(cost);
}

}  // namespace lbhm::host
