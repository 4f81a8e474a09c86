// Samples of one core: every N-th miss of the last-level cache, as PEBS would report it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/private_memory.h"
#include "lbhm/values.h"

namespace lbhm::emulator {

class Sampler {
 public:
  static constexpr std::size_t buffer_size = std::size_t{1} << 20;  // samples between two drains

  explicit Sampler(std::uint64_t period) : period_(period), left_(period) {}

  /// Counts one miss. True if it is the one to sample.
  bool due() {
    if (--left_ > 0) return false;
    left_ = period_;
    return true;
  }

  void record(const AccessSample& sample) {
    if (samples_.size() < buffer_size) {
      samples_.push_back(sample);
    } else {
      ++lost_;
    }
  }

  /// Moves everything to the end of `out`; returns how many samples the full buffer lost.
  std::uint64_t drain(std::vector<AccessSample>& out) {
    out.insert(out.end(), samples_.begin(), samples_.end());
    samples_.clear();
    return std::exchange(lost_, 0);
  }

 private:
  std::uint64_t period_;
  std::uint64_t left_;
  std::uint64_t lost_ = 0;
  PrivateVector<AccessSample> samples_;
};

}  // namespace lbhm::emulator
