// Which pages get hint faults next: the walk of NUMA balancing through a process, task_numa_work of Linux'
// kernel/sched/fair.c, for pages of slow memory only (TPP, section 5.3).
#pragma once

#include <cmath>

#include "runtime/placement/managed_pages.h"

namespace lbhm::placement {

class HintScan {
 public:
  struct Step {
    std::vector<std::uintptr_t> pages;
    bool around = false;  ///< it came to the last page and begins anew
  };

  /// Nothing is scanned yet.
  void rest(Nanoseconds now) { last_ = now; }

  /// What is due since the last call, at so many bytes a nanosecond.
  template <class State>
  Step step(std::span<const typename ManagedPages<State>::Page> pages, Nanoseconds now, BytesPerNanosecond rate,
            Bytes page) {
    due_ += rate.value * (now - last_).value / static_cast<double>(page.value);
    last_ = now;
    const auto due = std::min(static_cast<std::size_t>(due_), std::max<std::size_t>(pages.size(), 1));
    due_ -= std::floor(due_);
    Step step;
    for (std::size_t walked = 0; step.pages.size() < due && walked < walk_factor * due; ++walked) {
      if (next_ >= pages.size()) {
        next_ = 0;
        step.around = true;
        break;
      }
      const auto& candidate = pages[next_++];
      if (candidate.tier.value > 0 && candidate.tier != no_tier) step.pages.push_back(candidate.address);
    }
    return step;
  }

 private:
  static constexpr std::size_t walk_factor = 8;  // pages walked for one that is armed (task_numa_work)

  Nanoseconds last_;
  double due_ = 0;        // pages that the rate allows and that were not scanned yet
  std::size_t next_ = 0;  // page that the walk goes on with
};

}  // namespace lbhm::placement
