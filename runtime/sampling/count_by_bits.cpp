// Accesses of a base instance by accessed bits: section 2 of the paper ("a memory access is recorded and the bit is
// reset") and section 4, which sums them up by object. docs/policies.md says what is the paper's here.
#include <algorithm>
#include <map>

#include "runtime/sampling/slot_map.h"

namespace lbhm {
namespace {

struct Finding {
  ObjectSlot slot;
  PageIndex page;
  std::uint32_t times = 0;
};

/// What lanes had of a page.
struct LanePart {
  std::uint32_t lane = 0;
  AccessCount count;
};
/// The sampled pages of an object.
using Sampled = std::map<PageIndex, std::vector<LanePart>>;

/// Slots as pages: an object may begin within one.
std::vector<SlotRange> in_whole_pages(std::span<const SlotRange> slots, Bytes page) {
  std::vector<SlotRange> whole(slots.begin(), slots.end());
  for (SlotRange& slot : whole) {
    const std::uint64_t before = slot.address % page.value;
    slot.address -= before;
    if (slot.bytes.value > 0) slot.bytes += Bytes(before);
  }
  return whole;
}

/// By slot and page.
std::vector<Finding> in_slots(const FoundCounts& found, std::span<const SlotRange> slots, Bytes page) {
  const sampling::SlotMap map(in_whole_pages(slots, page), page);
  std::vector<Finding> findings;
  for (const auto& [address, times] : found) {
    if (const auto place = map.find(address)) findings.push_back({place->slot, place->page, times});
  }
  std::ranges::sort(findings, {}, [](const Finding& each) { return std::pair(each.slot, each.page); });
  return findings;
}

/// Takes the pages of the slots in `sampled` out of the counts.
void take_out(std::vector<LaneCounts>& counts, std::map<ObjectSlot, Sampled>& sampled) {
  for (LaneCounts& lane : counts) {
    std::erase_if(lane.pages, [&](const PageCount& page) {
      const auto slot = sampled.find(page.slot);
      if (slot != sampled.end()) slot->second[page.page].push_back({lane.lane.value, page.count});
      return slot != sampled.end();
    });
  }
}

/// Of the page, or else of the next one that has any; the lower one of two.
std::span<const LanePart> users_of(const Sampled& sampled, PageIndex page) {
  const auto above = sampled.lower_bound(page);
  if (above == sampled.begin()) return above == sampled.end() ? std::span<const LanePart>() : above->second;
  const auto below = std::prev(above);
  const bool upper = above != sampled.end() && above->first.value - page.value < page.value - below->first.value;
  return upper ? above->second : below->second;
}

AccessCount sum_of(std::span<const LanePart> parts) {
  AccessCount sum;
  for (const LanePart& part : parts) sum += part.count;
  return sum;
}

/// One part each for the lanes of which there are samples; for all, if there are none.
std::vector<LanePart> at_work(std::span<const LaneCounts> counts) {
  std::vector<LanePart> lanes, sampled;
  for (const LaneCounts& lane : counts) {
    lanes.push_back({lane.lane.value, AccessCount(1)});
    if (std::ranges::any_of(lane.tiers, [](const TierShare& tier) { return tier.accesses.value > 0; }))
      sampled.push_back(lanes.back());
  }
  return sampled.empty() ? lanes : sampled;
}

/// Accesses that a finding stands for.
AccessCount a_finding(std::span<const Finding> findings, const std::map<ObjectSlot, Sampled>& sampled,
                      AccessCount walk) {
  AccessCount accesses;
  for (const auto& [slot, pages] : sampled) {
    for (const auto& [page, parts] : pages) accesses += sum_of(parts);
  }
  double times = 0;
  for (const Finding& finding : findings) times += finding.times;
  return accesses.value > 0 ? accesses / times : walk;
}

}  // namespace

void count_by_bits(std::vector<LaneCounts>& counts, const FoundCounts& found, std::span<const SlotRange> slots,
                   Bytes page, AccessCount walk) {
  const std::vector<Finding> findings = in_slots(found, slots, page);
  if (findings.empty() || counts.empty()) return;
  std::map<ObjectSlot, Sampled> sampled;
  for (const Finding& finding : findings) sampled[finding.slot];
  const std::vector<LanePart> all = at_work(counts);
  take_out(counts, sampled);
  const AccessCount each = a_finding(findings, sampled, walk);
  for (const Finding& finding : findings) {
    std::span<const LanePart> users = users_of(sampled[finding.slot], finding.page);
    if (users.empty()) users = all;
    const AccessCount sum = sum_of(users);
    for (const LanePart& user : users)
      counts[user.lane].pages.push_back({finding.slot, finding.page, each * finding.times * (user.count / sum)});
  }
  for (LaneCounts& lane : counts)
    std::ranges::sort(lane.pages, {}, [](const PageCount& one) { return std::pair(one.slot, one.page); });
}

}  // namespace lbhm
