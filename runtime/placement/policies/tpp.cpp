// tpp: Transparent Page Placement (Maruf et al., TPP, ASPLOS 2023, section 5), as it went into Linux 5.18 and 6.1.
//   5.1  Demotion: kswapd moves inactive pages of a node to the next one instead of reclaiming them.
//   5.2  Allocation and demotion have watermarks of their own: demotion goes on until 2 % of the node are free.
//   5.3  Promotion: NUMA hint faults, taken on pages of slow nodes only. A page that faults is promoted if it is on
//        the active list; if it is on the inactive one, the fault makes it active. So it takes two faults.
// Scan rates and delays are Linux's defaults (kernel/sched/fair.c), the lists its reclaim's (linux_lists.h).
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
#include "runtime/placement/daemons/linux_lists.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr TierId fast{0};

// Linux scans scan_size_mb (256) each scan period of a task. The period is scan_period_min_ms (1,000) over the windows
// of 256 MB in its memory, but 100 ms at least (MAX_SCAN_WINDOW, 2,560 MB/s); the longest is scan_period_max_ms
// (60,000) over the windows, but not below the shortest. From 150 GB on both are 100 ms: nothing is left to adapt.
constexpr Bytes scan_size = MiB(256);
constexpr Nanoseconds scan_period{100e6};
constexpr Nanoseconds scan_delay{1e9};                              // scan_delay_ms
constexpr double demotion_watermark = 0.02;                         // demote_scale_factor (5.2)
constexpr BytesPerNanosecond promotion_rate{65536 * 0x1p20 / 1e9};  // numa_balancing_promote_rate_limit_MBps
constexpr Nanoseconds promotion_burst{1e9};                         // the limit counts by the second

class Tpp final : public Policy {
 public:
  explicit Tpp(const PolicyOptions& options) : pace_(options.pace) {}
  std::string_view name() const override { return "tpp"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .observer = true, .hint_faults = true};
  }

  void on_interval(PolicyContext& context) override {
    const Nanoseconds now = context.machine().execution().now();
    footprint_ = context.machine().peak_footprint();
    if (pages_changed(context)) look(context);
    demote(context);
    promote(context, now);
    arm(context, now);
  }

 private:
  using Pages = TwoLists::Pages;

  void look(PolicyContext& context) {
    pages_.refresh(context);
    lists_.resize(context.machine().topology().tiers.size() - 1);
    for (std::size_t tier = 0; tier < lists_.size(); ++tier)
      lists_[tier].take_on(pages_, TierId(static_cast<std::uint8_t>(tier)));
  }

  bool pages_changed(PolicyContext& context) {
    std::vector<PageRange> ranges = context.unmanaged();
    for (const PlacedObject& object : context.objects()) ranges.push_back({object.address, object.bytes});
    const bool same = std::ranges::equal(ranges, ranges_, [](const PageRange& a, const PageRange& b) {
      return a.address == b.address && a.bytes == b.bytes;
    });
    if (!same) ranges_ = std::move(ranges);
    return !same;
  }

  /// Section 5.1 and 5.2: what kswapd does on each node but the slowest once less than the watermark is free. The lower
  /// nodes make room first.
  void demote(PolicyContext& context) {
    for (std::size_t tier = lists_.size(); tier-- > 0;) demote(context, TierId(static_cast<std::uint8_t>(tier)));
  }

  void demote(PolicyContext& context, TierId from) {
    Machine& machine = context.machine();
    const std::size_t wanted = pages_below_watermark(machine, from, demotion_watermark);
    if (wanted == 0) return;
    // The lists are as long as on a node that holds the same share of the published footprint.
    const Bytes node = machine.topology().tiers[from.value].capacity;
    const double ratio = active_to_inactive(scaled(node, footprint_, usual_published_footprint, Bytes(1)));
    std::vector<std::uintptr_t> cold = lists_[from.value].coldest(machine, pages_, from, wanted, ratio);
    if (cold.empty()) return;
    move(context, cold, TierId(from.value + 1));
  }

  /// Section 5.3.
  void promote(PolicyContext& context, Nanoseconds now) {
    std::vector<HintFault> faults;
    context.machine().observer()->drain_hint_faults(faults);
    std::vector<std::uintptr_t> hot;
    for (const HintFault& fault : faults) {
      Pages::Page* page = pages_.find(fault.page);
      if (!page || page->tier == fast || page->tier == no_tier) continue;
      if (page->state.active) hot.push_back(fault.page);
      page->state.active = true;
    }
    const Bytes page = context.machine().topology().page;
    const std::size_t room = context.machine().room(fast).value / page.value;
    hot.resize(limit_.grant(now, std::min(hot.size(), room), page));
    move(context, hot, fast);
  }

  void move(PolicyContext& context, const std::vector<std::uintptr_t>& addresses, TierId to) {
    MigrationPlan plan;
    for (const std::uintptr_t address : addresses) add_move(plan, address, context.machine().topology().page, to);
    context.migrate(plan);
    std::vector<TierId> tiers(addresses.size());
    context.where(addresses, tiers);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      Pages::Page* page = pages_.find(addresses[i]);
      if (!page) continue;
      if (page->tier.value < lists_.size() && page->tier != tiers[i]) page->state.listed = false;
      page->tier = tiers[i];
      if (to != fast) page->state = {};
      if (tiers[i].value < lists_.size()) lists_[tiers[i].value].take_on(*page);
    }
  }

  void arm(PolicyContext& context, Nanoseconds now) {
    if (now < pace_ * scaled(scan_delay, usual_published_footprint, footprint_)) return scan_.rest(now);
    const BytesPerNanosecond rate(static_cast<double>(scan_size.value) / (pace_ * scan_period.value));
    const HintScan::Step step = scan_.step<ListedPage>(pages_.all(), now, rate, context.machine().topology().page);
    if (step.around) look(context);
    if (!step.pages.empty()) context.machine().observer()->arm_hint_faults(step.pages);
  }

  double pace_;
  Bytes footprint_;
  std::vector<PageRange> ranges_;  // of all pages
  Pages pages_;
  std::vector<TwoLists> lists_;  // by tier, but for the slowest
  RateLimit limit_{promotion_rate, promotion_burst};
  HintScan scan_;
};

}  // namespace

std::unique_ptr<Policy> make_tpp(const PolicyOptions& options) { return std::make_unique<Tpp>(options); }

}  // namespace lbhm::policies
