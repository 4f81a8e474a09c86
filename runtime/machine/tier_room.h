// What is left of a tier, for many questions in a short time.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/base/units.h"

namespace lbhm::host {

/// The kernel's figures of a node are files of some ten microseconds each, and allocations ask each time. So an answer
/// counts for a while, less what we hand out meanwhile. Not thread-safe.
class TierRoom {
 public:
  explicit TierRoom(std::chrono::milliseconds counts_for) : counts_for_(counts_for) {}

  /// `held`: what is ours in the tier now. When some of it was given back nobody knows how much of that was in use:
  /// then `read` is asked again, as it is after that while.
  template <class Read>
  Bytes left(Bytes held, const Read& read) {
    const auto now = std::chrono::steady_clock::now();
    if (!known_ || held < held_ || now - when_ >= counts_for_) {
      left_ = read();
      held_ = held;
      when_ = now;
      known_ = true;
    }
    const Bytes handed_out = held - held_;
    return left_ < handed_out ? Bytes(0) : left_ - handed_out;
  }

 private:
  std::chrono::milliseconds counts_for_;
  bool known_ = false;
  Bytes left_, held_;  ///< when it was read
  std::chrono::steady_clock::time_point when_;
};

}  // namespace lbhm::host
