// Samples of one core: one of N misses of the last-level cache, as PEBS would report it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/base/private_memory.h"
#include "runtime/base/chance.h"
#include "runtime/base/values.h"

namespace lbhm::emulator {

/// The core's own thread counts and records. Policies drain samples and change the period at any time: threads outside
/// of teams wait for nobody, so they run meanwhile.
class Sampler {
 public:
  static constexpr std::size_t buffer_size = std::size_t{1} << 20;  // samples between two drains

  static constexpr std::uint64_t never_due = 0;  // as a period

  /// The first sample is one of the first `period` misses; `seed` decides which.
  Sampler(std::uint64_t period, std::uint64_t seed) : chance_(mix(seed)) { set_period(period); }

  /// Counts one miss. True if it is the one to sample.
  bool due() {
    const std::uint64_t left = left_.load(relaxed) - 1;
    left_.store(left > 0 ? left : next(), relaxed);
    return left == 0;
  }

  /// Things to count until one is due, that one included; almost for ever if none is.
  std::uint64_t left() const { return left_.load(relaxed); }
  /// Counts several, none of which is due.
  void pass(std::uint64_t count) { left_.store(left() - count, relaxed); }
  bool rests() const { return period_.load(relaxed) == never_due; }

  /// A core that counts at this very moment may go on as before; it has no locked instruction at each miss.
  void set_period(std::uint64_t period) {
    if (period == never_due)
      left_.store(~std::uint64_t{0}, relaxed);
    else
      left_.store(rests() ? 1 + chance_.load(relaxed) % period : std::min(left(), period), relaxed);
    period_.store(period, relaxed);
  }

  void record(const AccessSample& sample) {
    const std::lock_guard guard(lock_);
    if (samples_.size() < buffer_size) {
      samples_.push_back(sample);
    } else {
      ++lost_;
    }
  }

  /// Moves everything to the end of `out`; returns how many samples the full buffer lost.
  template <class Samples>
  std::uint64_t drain(Samples& out) {
    const std::lock_guard guard(lock_);
    out.insert(out.end(), samples_.begin(), samples_.end());
    samples_.clear();
    return std::exchange(lost_, 0);
  }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;

  /// Misses until the next sample: half a period to one and a half, a period in the mean. A program here has the same
  /// misses in each turn of its loop, so that a fixed distance would meet the same pages again and again.
  std::uint64_t next() {
    const std::uint64_t period = period_.load(relaxed);
    const std::uint64_t chance = mix(chance_.load(relaxed));
    chance_.store(chance, relaxed);
    const std::uint64_t shortest = (period + 1) / 2, longest = period + period / 2;
    return shortest + chance % (longest - shortest + 1);
  }

  std::atomic<std::uint64_t> chance_;
  std::atomic<std::uint64_t> period_{never_due};
  std::atomic<std::uint64_t> left_{0};
  std::mutex lock_;  // guards what follows
  std::uint64_t lost_ = 0;
  PrivateVector<AccessSample> samples_;
};

}  // namespace lbhm::emulator
