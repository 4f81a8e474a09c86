// Which tier the memory that we place is in, or will be in once it is touched, and what is left of a tier, for many
// questions in a short time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "runtime/base/range_map.h"
#include "runtime/base/units.h"

namespace lbhm::host {

/// Ranges are [begin, end). Not thread-safe.
class TierAccount {
 public:
  /// From now on the range is in `tier`; no_tier: it is ours no more.
  void assign(std::uintptr_t begin, std::uintptr_t end, TierId tier);
  TierId at(std::uintptr_t address) const;
  Bytes held(TierId tier) const { return held_[tier.value]; }
  /// So much of the range.
  Bytes held(std::uintptr_t begin, std::uintptr_t end, TierId tier) const;

 private:
  RangeMap<TierId> extents_;
  std::array<Bytes, 256> held_{};
};

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
