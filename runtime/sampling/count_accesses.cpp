// Counts per (lane, slot, page) from samples, scaled by the sampling period.
#include <algorithm>
#include <tuple>

#include "runtime/sampling/sampling.h"
#include "runtime/sampling/slot_map.h"

namespace lbhm {
namespace {

bool before(const PageCount& a, const PageCount& b) { return std::tie(a.slot, a.page) < std::tie(b.slot, b.page); }
bool same_page(const PageCount& a, const PageCount& b) { return a.slot == b.slot && a.page == b.page; }

/// Adds one more sample to a mean over what `share` counted so far.
void add_to_tier(TierShare& share, const AccessSample& sample, AccessCount period) {
  share.accesses += period;
  if (sample.write) share.writes += period;
  share.mean_latency += (sample.latency - share.mean_latency) * (period / share.accesses);
}

/// Sorts by (slot, page) and adds up what belongs to one page.
void merge_pages(std::vector<PageCount>& pages) {
  std::sort(pages.begin(), pages.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (kept > 0 && same_page(pages[kept - 1], pages[i])) {
      pages[kept - 1].count += pages[i].count;
    } else {
      pages[kept++] = pages[i];
    }
  }
  pages.erase(pages.begin() + static_cast<std::ptrdiff_t>(kept), pages.end());
}

}  // namespace

std::vector<LaneCounts> count_accesses(std::span<const AccessSample> samples, AccessCount period,
                                       std::span<const SlotRange> slots, std::uint32_t lanes, std::size_t tiers,
                                       Bytes page) {
  std::vector<LaneCounts> counts(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    counts[lane].lane = LaneId(lane);
    counts[lane].tiers.resize(tiers);
  }
  if (!(period.value > 0)) return counts;

  const sampling::SlotMap map(slots, page);
  for (const AccessSample& sample : samples) {
    if (sample.lane.value >= lanes || sample.tier.value >= tiers) continue;
    LaneCounts& lane = counts[sample.lane.value];
    add_to_tier(lane.tiers[sample.tier.value], sample, period);
    if (const auto place = map.find(sample.address)) {
      lane.pages.push_back({place->slot, place->page, period});
    } else {
      lane.elsewhere += period;
    }
  }
  for (LaneCounts& lane : counts) merge_pages(lane.pages);
  return counts;
}

}  // namespace lbhm
