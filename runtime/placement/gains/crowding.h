// Whether slow memory's bandwidth is what all tasks wait for.
#pragma once

#include <span>

#include "runtime/base/values.h"
#include "runtime/placement/gains/gain_watch.h"

namespace lbhm::placement {

/// How much accesses queue for slow memory, from wake-up to wake-up of a policy.
class Crowding {
 public:
  /// The samples of a wake-up. `idle`: latency of unrelated lines of `slow`.
  void wake_up(std::span<const AccessSample> samples, TierId slow, Nanoseconds idle) {
    recent_.fade(forgotten);
    recent_.add(samples, slow, idle);
    const double queue = recent_.value();
    often_ += ((queue > most ? 1 : 0) - often_) * begins;
    mean_ = crowded_ ? mean_ + (queue - mean_) * ends : queue;
    crowded_ = crowded_ ? mean_ > least : often_ > 0.5;
  }
  /// Of late.
  double queue() const { return recent_.value(); }
  /// It begins when most queues were longer than `most`, not with a burst; and ends when they are shorter than `least`
  /// in the mean: pages that have moved shorten them.
  bool crowded() const { return crowded_; }

  /// Parts of the waiting (QueueShare). Assumptions: accesses queue for a seventh at most on programs whose limit is
  /// latency, for a fifth and more where it is bandwidth, and there for a fiftieth once the right pages are fast.
  static constexpr double most = 1.0 / 6, least = 1.0 / 50;

 private:
  /// What a wake-up leaves out of what was seen before. Assumptions: one wake-up has few samples, and phases with many
  /// accesses at once come and go within tens of them; that pages which moved shorten queues lasts longer.
  static constexpr double forgotten = 1.0 / 2, begins = 1.0 / 16, ends = 1.0 / 64;

  QueueShare recent_;
  double often_ = 0;  ///< part of the wake-ups with queues longer than `most`
  double mean_ = 0;   ///< of recent_ over wake-ups, since it began: few samples count as much as many
  bool crowded_ = false;
};

}  // namespace lbhm::placement
