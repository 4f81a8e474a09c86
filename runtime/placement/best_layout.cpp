#include "runtime/placement/best_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/placement/layout.h"

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
  const bool comparable = last.pages.objects == best_.pages.objects &&
                          std::abs((last.accesses - best_.accesses).value) <= same_work * best_.accesses.value;
  if (!comparable || (staying_ && last.time > best_.time * another)) {
    best_ = last;
    longer_ = 0;
    return false;
  }
  longer_ = last.time > best_.time * much_longer ? longer_ + 1 : 0;
  if (staying_ || longer_ >= longer_instances) return true;
  if (last.time < best_.time) best_ = last;
  return false;
}

bool BestLayout::begins(Pages now, Nanoseconds time, AccessCount accesses) {
  const bool counted = accesses.value > 0 && time.value > 0 && last_.fast;
  staying_ = counted && judge({last_, time, accesses}) && now.objects == best_.pages.objects;
  last_ = std::move(now);
  return staying_;
}

MigrationPlan BestLayout::back(const ScopeForecast& now) const {
  const std::span<const PageRange> here = now.placement.in(now.fast), there = fast();
  return {exchange(now, without(there, here, now.page), without(here, there, now.page))};
}

}  // namespace lbhm::placement
