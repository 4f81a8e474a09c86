// Door of runtime/sampling: from samples to what each task accessed.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// An object of the phase that is being profiled, at its slot.
struct SlotRange {
  ObjectSlot slot;
  std::uintptr_t address = 0;  ///< of its first byte
  Bytes bytes;
};

/// Samples of one phase, by lane.
struct LaneCounts {
  LaneId lane;
  std::vector<TierShare> tiers;  ///< by TierId: scaled number of accesses and mean latency
  std::vector<PageCount> pages;  ///< sorted by (slot, page); samples outside all slots are left out
  AccessCount elsewhere;         ///< accesses to memory that is no object of the phase
};

/// Attributes samples to (lane, slot, page) and scales them by the sampling period.
/// `slots` need not be sorted; `lanes` lanes and `tiers` tiers are returned, also those without samples. Samples of
/// other lanes or tiers are ignored. Cost: O(samples log slots + pages log pages).
std::vector<LaneCounts> count_accesses(std::span<const AccessSample> samples, AccessCount period,
                                       std::span<const SlotRange> slots, std::uint32_t lanes, std::size_t tiers,
                                       Bytes page);

/// How many scans of accessed bits found a page, by its first byte.
using FoundCounts = std::unordered_map<std::uintptr_t, std::uint32_t>;

/// Counts pages by bits in place of samples (Merchandiser, sections 2 and 4): each scan that found a page is as many
/// accesses to it as any other. How many that is, samples say: their sum over the objects that scans found anything of;
/// without samples it is `walk`. Whose they are bits do not say: they are shared as the samples of the page, or else of
/// the next page of the object that has any, and evenly among the lanes at work if none has. An object of which no scan
/// found a page keeps what samples say. Cost: O(found log found + pages).
void count_by_bits(std::vector<LaneCounts>& counts, const FoundCounts& found, std::span<const SlotRange> slots,
                   Bytes page, AccessCount walk);

}  // namespace lbhm
