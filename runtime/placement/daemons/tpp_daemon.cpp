#include "runtime/placement/daemons/tpp_daemon.h"

#include <algorithm>
#include <vector>

namespace lbhm::placement {
void TppDaemon::run(PolicyContext& context, const Regulation& may_promote) {
  const Nanoseconds now = context.machine().execution().now();
  reclaim_.follow(context);
  reclaim_.keep_free(context, demotion_watermark);
  promote(context, now, may_promote);
  arm(context, now);
}

/// Section 5.3.
void TppDaemon::promote(PolicyContext& context, Nanoseconds now, const Regulation& may_promote) {
  std::vector<HintFault> faults;
  context.machine().observer()->drain_hint_faults(faults);
  std::vector<std::uintptr_t> hot;
  for (const HintFault& fault : faults) {
    LinuxReclaim::Pages::Page* page = reclaim_.pages().find(fault.page);
    if (!page || page->tier == TierId(0) || page->tier == no_tier) continue;
    if (page->state.active && (!may_promote || may_promote(fault))) hot.push_back(fault.page);
    page->state.active = true;
  }
  const Bytes page = context.machine().topology().page;
  const std::size_t room = context.machine().room(TierId(0)).value / page.value;
  hot.resize(limit_.grant(now, std::min(hot.size(), room), page));
  reclaim_.move(context, hot, TierId(0));
}

void TppDaemon::arm(PolicyContext& context, Nanoseconds now) {
  const Bytes footprint = context.machine().peak_footprint();
  if (now < pace_ * scaled(scan_delay, usual_published_footprint, footprint)) return scan_.rest(now);
  const BytesPerNanosecond rate(static_cast<double>(scan_size.value) / (pace_ * scan_period.value));
  const Bytes page = context.machine().topology().page;
  const HintScan::Step step = scan_.step<ListedPage>(reclaim_.pages().all(), now, rate, page);
  if (step.around) reclaim_.look(context);
  if (!step.pages.empty()) context.machine().observer()->arm_hint_faults(step.pages);
}

}  // namespace lbhm::placement
