// Whether pages that were used lately are used again: what fast memory would serve if it held the pages of the last
// samples, as if moves were free. A task that streams comes to pages that it has not used yet; one that comes back to
// the same pages gains from having them near.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm::placement {

class Reuse {
 public:
  /// Samples on which the two differ count as significant from so many standard errors on, and from so great a part of
  /// all. Assumptions: once in 740 times by chance; a smaller gain can wait.
  static constexpr double errors = 3, least_part = 0.25;

  /// A wake-up's samples. `fast_pages`: of fast memory. Cost: O(1) a sample.
  void add(std::span<const AccessSample> samples, std::uint64_t fast_pages, Bytes page) {
    for (const AccessSample& sample : samples) {
      const std::uintptr_t number = sample.address / page.value;
      const bool fast = sample.tier == TierId(0), seen = recent_.contains(number) || older_.contains(number);
      all_ += 1;
      if (seen != fast) (seen ? for_ : against_) += 1;
      recent_.insert(number);
      if (2 * recent_.size() < fast_pages) continue;
      older_ = std::exchange(recent_, {});
    }
  }
  /// The pages used lately would serve far more of the accesses than those that fast memory has.
  bool promises() const {
    const double gain = for_ - against_;
    return gain > errors * std::sqrt(for_ + against_) && gain > least_part * all_;
  }
  void forget() { *this = {}; }

 private:
  std::unordered_set<std::uintptr_t> recent_, older_;  ///< pages of the last samples, each at most half of fast memory
  double for_ = 0, against_ = 0, all_ = 0;             ///< samples
};

}  // namespace lbhm::placement
