#include "runtime/sampling/slot_map.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "runtime/sampling/sampling.h"

namespace lbhm::sampling {
namespace {

/// Where a slot begins or ends, for a sweep over the addresses. `index` is its place in the list.
struct Edge {
  std::uintptr_t address;
  bool begins;
  std::size_t index;
};

std::uintptr_t last_byte(const SlotRange& slot) {
  const std::uintptr_t most = std::numeric_limits<std::uintptr_t>::max() - slot.address;
  return slot.address + std::min<std::uintptr_t>(slot.bytes.value - 1, most);
}

/// Beginnings, and the first bytes after the ends. A slot that reaches the end of the address space has no such byte.
std::vector<Edge> edges_of(std::span<const SlotRange> slots) {
  std::vector<Edge> edges;
  edges.reserve(2 * slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].bytes.value == 0) continue;
    edges.push_back({slots[i].address, true, i});
    const std::uintptr_t last = last_byte(slots[i]);
    if (last != std::numeric_limits<std::uintptr_t>::max()) edges.push_back({last + 1, false, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.address < b.address; });
  return edges;
}

}  // namespace

SlotMap::SlotMap(std::span<const SlotRange> slots, Bytes page) : page_(std::max<std::uint64_t>(page.value, 1)) {
  const std::vector<Edge> edges = edges_of(slots);
  std::set<std::size_t> open;  // slots that hold the address of the sweep; the first one wins
  for (std::size_t i = 0; i < edges.size();) {
    const std::uintptr_t at = edges[i].address;
    for (; i < edges.size() && edges[i].address == at; ++i) {
      edges[i].begins ? (void)open.insert(edges[i].index) : (void)open.erase(edges[i].index);
    }
    if (open.empty()) continue;
    const std::uintptr_t last = i < edges.size() ? edges[i].address - 1 : std::numeric_limits<std::uintptr_t>::max();
    const SlotRange& winner = slots[*open.begin()];
    pieces_.push_back({at, last, winner.slot, winner.address / page_});
  }
}

std::optional<SlotPage> SlotMap::find(std::uintptr_t address) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), address,
                                      [](std::uintptr_t a, const Piece& piece) { return a < piece.first; });
  if (after == pieces_.begin()) return std::nullopt;
  const Piece& piece = *std::prev(after);
  if (address > piece.last) return std::nullopt;
  return SlotPage{piece.slot, PageIndex(address / page_ - piece.page_zero)};
}

}  // namespace lbhm::sampling

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
    const AccessCount accesses = period * sample.weight;
    add_to_tier(lane.tiers[sample.tier.value], sample, accesses);
    if (const auto place = map.find(sample.address)) {
      lane.pages.push_back({place->slot, place->page, accesses});
    } else {
      lane.elsewhere += accesses;
    }
  }
  for (LaneCounts& lane : counts) merge_pages(lane.pages);
  return counts;
}

}  // namespace lbhm
