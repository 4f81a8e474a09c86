// Samples of one core: every N-th miss of the last-level cache, as PEBS would report it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/base/private_memory.h"
#include "runtime/base/chance.h"
#include "runtime/base/values.h"

namespace lbhm::emulator {

class Sampler {
 public:
  static constexpr std::size_t buffer_size = std::size_t{1} << 20;  // samples between two drains

  static constexpr std::uint64_t never_due = 0;  // as a period

  /// The first sample is one of the first `period` misses; `seed` decides which.
  Sampler(std::uint64_t period, std::uint64_t seed) : first_(mix(seed)) { set_period(period); }

  /// Counts one miss. True if it is the one to sample.
  bool due() {
    if (--left_ > 0) return false;
    left_ = period_;
    return true;
  }

  /// Things to count until one is due, that one included; almost for ever if none is.
  std::uint64_t left() const { return left_; }
  /// Counts several, none of which is due.
  void pass(std::uint64_t count) { left_ -= count; }
  bool rests() const { return period_ == never_due; }

  void set_period(std::uint64_t period) {
    if (period == never_due)
      left_ = ~std::uint64_t{0};
    else
      left_ = period_ == never_due ? 1 + first_ % period : std::min(left_, period);
    period_ = period;
  }

  void record(const AccessSample& sample) {
    if (samples_.size() < buffer_size) {
      samples_.push_back(sample);
    } else {
      ++lost_;
    }
  }

  /// Moves everything to the end of `out`; returns how many samples the full buffer lost.
  template <class Samples>
  std::uint64_t drain(Samples& out) {
    out.insert(out.end(), samples_.begin(), samples_.end());
    samples_.clear();
    return std::exchange(lost_, 0);
  }

 private:
  std::uint64_t first_;
  std::uint64_t period_ = never_due;
  std::uint64_t left_ = 0;
  std::uint64_t lost_ = 0;
  PrivateVector<AccessSample> samples_;
};

}  // namespace lbhm::emulator
