#include "emulator/memory/page_watch.h"

#include <algorithm>
#include <tuple>

namespace lbhm::emulator {
namespace {

auto order(const HintFault& fault) { return std::tuple(fault.time, fault.lane); }

}  // namespace

void PageWatch::fault(PageId page, const HintFault& fault) {
  const std::lock_guard guard(lock_);
  met_.push_back({page, fault});
}

bool PageWatch::was_accessed(PageId page, bool clear) {
  const auto keep = static_cast<std::uint8_t>(clear ? ~accessed : 0xff);
  return (bits_[page].fetch_and(keep, std::memory_order_relaxed) & accessed) != 0;
}

void PageWatch::end_quantum() {
  const std::lock_guard guard(lock_);
  // A core meets several pages at one time, in its own order; the order of the cores here is that of real time.
  std::ranges::stable_sort(met_, {}, [](const Met& met) { return order(met.fault); });
  for (const Met& met : met_) {
    const auto disarmed = static_cast<std::uint8_t>(~armed);
    const bool first = (bits_[met.page].fetch_and(disarmed, std::memory_order_relaxed) & armed) != 0;
    if (first) faults_.push_back(met.fault);
  }
  met_.clear();
}

void PageWatch::drain(std::vector<HintFault>& out) {
  const std::lock_guard guard(lock_);
  std::ranges::stable_sort(faults_, {}, order);
  out.insert(out.end(), faults_.begin(), faults_.end());
  faults_.clear();
}

}  // namespace lbhm::emulator
