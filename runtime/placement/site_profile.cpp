#include "runtime/placement/site_profile.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace lbhm::placement {
namespace {

std::uintptr_t first_address(const SiteState& state) {
  std::uintptr_t first = state.untouched.empty() ? UINTPTR_MAX : state.untouched.front().address;
  for (const auto& ranges : state.lies)
    if (!ranges.empty()) first = std::min(first, ranges.front().address);
  return first;
}

}  // namespace

void SiteProfile::born(std::uintptr_t address, Bytes bytes, SiteId site, std::uint64_t nth) {
  auto at = objects_.lower_bound(address);
  if (at != objects_.begin() && std::prev(at)->first + std::prev(at)->second.bytes.value > address) --at;
  while (at != objects_.end() && at->first < address + bytes.value) at = objects_.erase(at);  // gone, and unnoticed yet
  objects_.emplace_hint(at, address, Known{bytes, site, nth});
}

void SiteProfile::count(std::span<const AccessSample> samples, AccessCount period) {
  for (const AccessSample& sample : samples) {
    if (sample.write) continue;
    auto at = objects_.upper_bound(sample.address);
    if (at == objects_.begin()) continue;
    --at;
    const std::uint64_t offset = sample.address - at->first;
    if (offset < at->second.bytes.value) reads_[piece_of(at->second, offset)] += period * sample.weight;
  }
}

void SiteProfile::follow(std::span<const PlacedObject> objects) {
  objects_.clear();
  for (const PlacedObject& object : objects)
    objects_.emplace_hint(objects_.end(), object.address, Known{object.bytes, object.site, object.nth});
  if (piece_.value == 0) return;
  std::set<std::pair<SiteId, std::uint64_t>> there;
  for (const auto& [address, object] : objects_) there.emplace(object.site, object.nth);
  std::erase_if(reads_, [&](const auto& each) { return !there.contains({each.first.site, each.first.nth}); });
}

void SiteProfile::reweight(double keep) {
  if (keep == 1) return;
  for (auto& [piece, reads] : reads_) reads = reads * keep;
}

std::vector<SiteState> SiteProfile::sites(const PagePlacement& placement, Bytes page) const {
  const std::size_t tiers = placement.tiers.size();
  std::map<Piece, SiteState> found;
  // Ranges and objects are both by address; a range may be of several objects, and the last page of an object is whole.
  const auto share_out = [&](std::span<const PageRange> ranges, std::size_t tier) {
    auto object = objects_.begin();
    for (const PageRange& range : ranges) {
      std::uintptr_t at = range.address;
      const std::uintptr_t end = at + range.bytes.value;
      const auto end_of = [&] {
        return object->first + (object->second.bytes.value + page.value - 1) / page.value * page.value;
      };
      while (object != objects_.end() && end_of() <= at) ++object;
      for (; object != objects_.end() && object->first < end; ++object) {
        const std::uintptr_t first = std::max(at, object->first), last = std::min(end, end_of());
        const std::uint64_t length = piece_.value > 0 ? piece_.value : last - object->first;
        for (std::uintptr_t begin = first; begin < last;) {
          const std::uint64_t offset = begin - object->first;
          const std::uintptr_t next = std::min<std::uintptr_t>(last, object->first + (offset / length + 1) * length);
          SiteState& state = found[piece_of(object->second, offset)];
          state.lies.resize(tiers);
          state.pages.resize(tiers);
          auto& ranges_of = tier < tiers ? state.lies[tier] : state.untouched;
          ranges_of.push_back({begin, Bytes(next - begin)});
          if (tier < tiers) state.pages[tier] += (next - begin) / page.value;
          begin = next;
        }
        if (last == end) break;
      }
    }
  };
  for (std::size_t tier = 0; tier < tiers; ++tier) share_out(placement.tiers[tier], tier);
  share_out(placement.untouched, tiers);
  std::vector<SiteState> states;
  for (auto& [piece, state] : found) {
    const auto reads = reads_.find(piece);
    state.site = piece.site;
    if (reads != reads_.end()) state.reads = reads->second;
    states.push_back(std::move(state));
  }
  std::ranges::stable_sort(states, {}, first_address);
  return states;
}

}  // namespace lbhm::placement
