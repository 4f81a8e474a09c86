#include "runtime/placement/layouts/best_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/placement/layouts/layout.h"

namespace lbhm::placement {
namespace {

/// Instances are alike whose accesses differ by no more than this part. An assumption.
constexpr double same_work = 0.05;

/// The parts of `ranges` that are not in `others`.
std::vector<Segment> without(std::span<const PageRange> ranges, std::span<const PageRange> others, Bytes page) {
  std::vector<Segment> parts;
  const PageRanges out(others);
  for (const PageRange& range : ranges) {
    out.split(range, [&](const PageRange& part, bool inside) {
      if (!inside) parts.push_back({.address = part.address, .pages = part.bytes.value / page.value, .per_page = {}});
    });
  }
  return parts;
}

}  // namespace

bool BestLayout::judge(const Instance& last) {
  const AccessCount accesses = best_.ended.accesses;
  const bool comparable = last.pages.objects == best_.pages.objects &&
                          std::abs((last.ended.accesses - accesses).value) <= same_work * accesses.value;
  const Nanoseconds limit = best_.ended.time * (staying_ ? another : much_longer);
  longer_ = comparable && last.ended.time > limit ? longer_ + 1 : 0;
  const bool often = longer_ >= longer_instances;
  if (!comparable || (staying_ && often)) {
    best_ = last.ended.settled ? last : Instance();
    longer_ = 0;
    return false;
  }
  if (often) longer_ = 0;  // from here on of those that stay
  if (staying_ || often) return true;
  if (last.ended.time < best_.ended.time && last.ended.settled) best_ = last;
  return false;
}

bool BestLayout::begins(Pages now, const Ended& before) {
  if (!last_.fast && before.settled && last_.objects == now.objects) last_.fast = now.fast;
  const bool counted = before.accesses.value > 0 && before.time.value > 0 && last_.fast;
  staying_ = counted && judge({last_, before}) && now.objects == best_.pages.objects;
  last_ = std::move(now);
  return staying_;
}

MigrationPlan BestLayout::back(const PhaseForecast& now) const {
  const std::span<const PageRange> here = now.placement.in(now.fast), there = fast();
  return {exchange(now, without(there, here, now.page), without(here, there, now.page))};
}

}  // namespace lbhm::placement
