#include "runtime/host/tier_account.h"

namespace lbhm::host {

void TierAccount::assign(std::uintptr_t begin, std::uintptr_t end, TierId tier) {
  if (begin >= end) return;
  extents_.split(begin);
  extents_.split(end);
  extents_.visit(begin, end,
                 [&](std::uintptr_t from, std::uintptr_t to, TierId was) { held_[was.value] -= Bytes(to - from); });
  extents_.cut(begin, end);
  if (tier == no_tier) return;
  extents_.join(begin, end, tier);
  held_[tier.value] += Bytes(end - begin);
}

TierId TierAccount::at(std::uintptr_t address) const {
  const auto extent = extents_.find(address);
  return extent == extents_.end() ? no_tier : extent->second.value;
}

Bytes TierAccount::held(std::uintptr_t begin, std::uintptr_t end, TierId tier) const {
  Bytes sum;
  extents_.visit(begin, end,
                 [&](std::uintptr_t from, std::uintptr_t to, TierId is) { sum += Bytes(is == tier ? to - from : 0); });
  return sum;
}

}  // namespace lbhm::host
