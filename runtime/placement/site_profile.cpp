#include "runtime/placement/site_profile.h"

#include <algorithm>
#include <iterator>

namespace lbhm::placement {

void SiteProfile::born(std::uintptr_t address, Bytes bytes, SiteId site) {
  auto at = objects_.lower_bound(address);
  if (at != objects_.begin() && std::prev(at)->first + std::prev(at)->second.bytes.value > address) --at;
  while (at != objects_.end() && at->first < address + bytes.value) at = objects_.erase(at);  // gone, and unnoticed yet
  objects_.emplace_hint(at, address, Known{bytes, site});
}

void SiteProfile::count(std::span<const AccessSample> samples, AccessCount period) {
  for (const AccessSample& sample : samples) {
    if (sample.write) continue;
    auto at = objects_.upper_bound(sample.address);
    if (at == objects_.begin()) continue;
    --at;
    if (sample.address - at->first < at->second.bytes.value) reads_[at->second.site] += period * sample.weight;
  }
}

void SiteProfile::follow(std::span<const PlacedObject> objects) {
  objects_.clear();
  for (const PlacedObject& object : objects)
    objects_.emplace_hint(objects_.end(), object.address, Known{object.bytes, object.site});
}

void SiteProfile::reweight(double keep) {
  if (keep == 1) return;
  for (auto& [site, reads] : reads_) reads = reads * keep;
}

std::vector<SiteState> SiteProfile::sites(const PagePlacement& placement, Bytes page) const {
  const std::size_t tiers = placement.tiers.size();
  std::map<SiteId, SiteState> found;
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
        SiteState& state = found[object->second.site];
        state.lies.resize(tiers);
        state.pages.resize(tiers);
        auto& of_site = tier < tiers ? state.lies[tier] : state.untouched;
        of_site.push_back({first, Bytes(last - first)});
        if (tier < tiers) state.pages[tier] += (last - first) / page.value;
        if (last == end) break;
      }
    }
  };
  for (std::size_t tier = 0; tier < tiers; ++tier) share_out(placement.tiers[tier], tier);
  share_out(placement.untouched, tiers);
  std::vector<SiteState> states;
  for (auto& [site, state] : found) {
    const auto reads = reads_.find(site);
    state.site = site;
    if (reads != reads_.end()) state.reads = reads->second;
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace lbhm::placement
