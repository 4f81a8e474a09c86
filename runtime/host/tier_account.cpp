#include "runtime/host/tier_account.h"

#include <algorithm>
#include <iterator>

namespace lbhm::host {

void TierAccount::assign(std::uintptr_t begin, std::uintptr_t end, TierId tier) {
  if (begin >= end) return;
  cut(begin);
  cut(end);
  for (auto at = extents_.lower_bound(begin); at != extents_.end() && at->first < end; at = extents_.erase(at))
    held_[at->second.tier.value] -= Bytes(at->second.end - at->first);
  if (tier != no_tier) insert(begin, end, tier);
}

TierId TierAccount::at(std::uintptr_t address) const {
  auto after = extents_.upper_bound(address);
  if (after == extents_.begin()) return no_tier;
  const auto& [begin, extent] = *std::prev(after);
  return address < extent.end ? extent.tier : no_tier;
}

Bytes TierAccount::held(std::uintptr_t begin, std::uintptr_t end, TierId tier) const {
  auto at = extents_.upper_bound(begin);
  if (at != extents_.begin()) --at;
  Bytes sum;
  for (; at != extents_.end() && at->first < end; ++at) {
    const std::uintptr_t from = std::max(begin, at->first), to = std::min(end, at->second.end);
    if (at->second.tier == tier && from < to) sum += Bytes(to - from);
  }
  return sum;
}

void TierAccount::cut(std::uintptr_t address) {
  const auto after = extents_.lower_bound(address);
  if (after == extents_.begin()) return;
  Extent& extent = std::prev(after)->second;
  if (extent.end <= address) return;
  const Extent rest = extent;
  extent.end = address;
  extents_.emplace_hint(after, address, rest);
}

void TierAccount::insert(std::uintptr_t begin, std::uintptr_t end, TierId tier) {
  held_[tier.value] += Bytes(end - begin);
  auto after = extents_.lower_bound(begin);
  if (after != extents_.end() && after->first == end && after->second.tier == tier) {
    end = after->second.end;
    after = extents_.erase(after);
  }
  if (after != extents_.begin()) {
    Extent& before = std::prev(after)->second;
    if (before.end == begin && before.tier == tier) {
      before.end = end;
      return;
    }
  }
  extents_.emplace_hint(after, begin, Extent{end, tier});
}

}  // namespace lbhm::host
