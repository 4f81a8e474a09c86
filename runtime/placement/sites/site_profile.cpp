#include "runtime/placement/sites/site_profile.h"

#include <algorithm>
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
  objects_.drop(address, address + bytes.value);  // gone, and unnoticed yet
  objects_.set(address, address + bytes.value, {site, nth});
}

void SiteProfile::count(std::span<const AccessSample> samples, AccessCount period) {
  for (const AccessSample& sample : samples) {
    if (sample.write) continue;
    const auto at = objects_.find(sample.address);
    if (at == objects_.end()) continue;
    reads_[piece_of(at->second.value, sample.address - at->first)] += period * sample.weight;
  }
}

void SiteProfile::follow(std::span<const PlacedObject> objects) {
  objects_.clear();
  for (const PlacedObject& object : objects)
    objects_.set(object.address, object.address + object.bytes.value, {object.site, object.nth});
  if (piece_.value == 0) return;
  std::set<std::pair<SiteId, std::uint64_t>> there;
  for (const auto& [address, object] : objects_) there.emplace(object.value.site, object.value.nth);
  std::erase_if(reads_, [&](const auto& each) { return !there.contains({each.first.site, each.first.nth}); });
}

void SiteProfile::reweight(double keep) {
  if (keep == 1) return;
  for (auto& [piece, reads] : reads_) reads = reads * keep;
}

/// Ranges and objects are both by address; a range may be of several objects, and the last page of an object is whole.
template <class Visit>
void SiteProfile::split(std::span<const PageRange> ranges, Bytes page, Visit visit) const {
  auto object = objects_.begin();
  const auto end_of = [&] { return (object->second.end + page.value - 1) / page.value * page.value; };
  for (const PageRange& range : ranges) {
    const std::uintptr_t end = range.address + range.bytes.value;
    while (object != objects_.end() && end_of() <= range.address) ++object;
    for (; object != objects_.end() && object->first < end; ++object) {
      const std::uintptr_t last = std::min(end, end_of());
      const std::uint64_t length = piece_.value > 0 ? piece_.value : last - object->first;
      for (std::uintptr_t at = std::max(range.address, object->first); at < last;) {
        const std::uint64_t offset = at - object->first;
        const std::uintptr_t next = std::min<std::uintptr_t>(last, object->first + (offset / length + 1) * length);
        visit(piece_of(object->second.value, offset), PageRange{at, Bytes(next - at)});
        at = next;
      }
      if (last == end) break;
    }
  }
}

std::vector<SiteState> SiteProfile::sites(const PagePlacement& placement, Bytes page) const {
  const std::size_t tiers = placement.tiers.size();
  std::map<Piece, SiteState> found;
  const auto state_of = [&](const Piece& piece) -> SiteState& {
    SiteState& state = found[piece];
    state.lies.resize(tiers);
    state.pages.resize(tiers);
    return state;
  };
  for (std::size_t tier = 0; tier < tiers; ++tier) {
    split(placement.tiers[tier], page, [&](const Piece& piece, const PageRange& part) {
      SiteState& state = state_of(piece);
      state.lies[tier].push_back(part);
      state.pages[tier] += part.bytes.value / page.value;
    });
  }
  split(placement.untouched, page,
        [&](const Piece& piece, const PageRange& part) { state_of(piece).untouched.push_back(part); });
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
