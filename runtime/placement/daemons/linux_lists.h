// The active and the inactive list of a tier's pages, as Linux keeps them for anonymous memory, which pages leave first
// (mm/vmscan.c: shrink_active_list, inactive_is_low, page_check_references), and the walk of NUMA balancing over pages
// of slow tiers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/placement/daemons/daemon.h"

namespace lbhm::placement {

/// What Linux remembers of a page.
struct ListedPage {
  bool active = false;      ///< PG_active: on the active list
  bool referenced = false;  ///< PG_referenced: was found accessed once already
  bool listed = false;      ///< is in one of the lists below
};

/// Of any tier but the slowest one.
class TwoLists {
 public:
  using Pages = ProgramPages<ListedPage>;

  /// Takes on the pages of `tier` that are not listed yet, as the youngest of the list that they belong to.
  void take_on(Pages& pages, TierId tier);
  void take_on(Pages::Page& page);

  /// Up to `wanted` pages of `tier` that nobody accessed since they were looked at last, the oldest first; they are
  /// listed no more. Every page is looked at once at most. A page found accessed stays, and is active from the second
  /// time on. `ratio`: active pages for each inactive one; more of them become inactive.
  std::vector<std::uintptr_t> coldest(Machine& machine, Pages& pages, TierId tier, std::size_t wanted, double ratio);

 private:
  std::vector<Pages::Page*> oldest(std::deque<std::uintptr_t>& list, Pages& pages, TierId tier, bool active,
                                   std::size_t wanted);
  void deactivate_some(Machine& machine, Pages& pages, TierId tier);

  std::deque<std::uintptr_t> active_;    // the oldest first; may name pages that are gone
  std::deque<std::uintptr_t> inactive_;  // likewise
};

/// inactive_is_low: how many active pages there may be for an inactive one, in a memory of so many bytes.
double active_to_inactive(Bytes memory);

// Which pages get hint faults next: the walk of NUMA balancing through a process, task_numa_work of Linux'
// kernel/sched/fair.c, for pages of slow memory only (TPP, section 5.3).

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
  Step step(std::span<const typename ProgramPages<State>::Page> pages, Nanoseconds now, BytesPerNanosecond rate,
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
