// tpp: Transparent Page Placement (Maruf et al., TPP, ASPLOS 2023, section 5), as it went into Linux 5.18 and 6.1.
//   5.1  Demotion: kswapd moves inactive pages of a node to the next one instead of reclaiming them.
//   5.2  Allocation and demotion have watermarks of their own: demotion goes on until 2 % of the node are free.
//   5.3  Promotion: NUMA hint faults, taken on pages of slow nodes only. A page that faults is promoted if it is on
//        the active list; if it is on the inactive one, the fault makes it active. So it takes two faults.
// Scan rates and delays are Linux's defaults (kernel/sched/fair.c), the lists its reclaim's (linux_lists.h); the daemon
// itself is in tpp_daemon.h, as alto regulates it.
//
// Looked up: sections 5.1 to 5.3 and demote_scale_factor's default in a summary of the paper with its figures; the
// scan's defaults, task_scan_min, task_scan_max and inactive_is_low in several copies of Linux. Assumptions: one scan
// serves all threads of a process; reclaim ages pages as linux_lists.h says; the rate limit, which came with 6.1 and
// limits nothing here. The hot threshold of 6.1 (on the time from scan to fault) is not TPP's and is left out.
//
// Differences: promotions are made by the daemon at the end of the quantum, not inside of the fault, so the program
// pays for the fault alone. Allocation takes fast memory to its last page: the machine knows no watermark for it. All
// pages are anonymous (5.4, page types, does not apply). Active pages of slow memory do not age, as without memory
// pressure.
#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/tpp_daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class Tpp final : public Policy {
 public:
  explicit Tpp(const PolicyOptions& options) : daemon_(options.pace) {}
  std::string_view name() const override { return "tpp"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .observer = true, .hint_faults = true};
  }

  void on_interval(PolicyContext& context) override { daemon_.run(context); }

 private:
  TppDaemon daemon_;
};

}  // namespace

std::unique_ptr<Policy> make_tpp(const PolicyOptions& options) { return std::make_unique<Tpp>(options); }

}  // namespace lbhm::policies
