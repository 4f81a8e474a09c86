// How much may move: limits of rates, watermarks of the fastest tier, and plans of single pages.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/machine/machine.h"

namespace lbhm::placement {

/// So many bytes a nanosecond, and no more than `burst` at once after a rest.
class RateLimit {
 public:
  RateLimit(BytesPerNanosecond rate, Nanoseconds burst) : rate_(rate), burst_(burst) {}

  /// Grants up to `wanted` of the whole pages that may move now, and counts them.
  std::size_t grant(Nanoseconds now, std::size_t wanted, Bytes page) {
    const double most = std::max(rate_.value * burst_.value, static_cast<double>(page.value));
    saved_ = std::min(most, saved_ + rate_.value * (now - then_).value);
    then_ = now;
    const auto pages = std::min(wanted, static_cast<std::size_t>(saved_ / static_cast<double>(page.value)));
    saved_ -= static_cast<double>(pages * page.value);
    return pages;
  }

 private:
  BytesPerNanosecond rate_;
  Nanoseconds burst_;
  Nanoseconds then_;
  double saved_ = 0;  // bytes
};

/// Pages that have to leave the tier so that the share `free` of its capacity is free; 0 if it is.
inline std::size_t pages_below_watermark(Machine& machine, TierId tier, double free) {
  const Topology& topology = machine.topology();
  const Bytes room = machine.room(tier);
  const auto wanted =
      Bytes(static_cast<std::uint64_t>(free * static_cast<double>(topology.tiers[tier.value].capacity.value)));
  if (room >= wanted) return 0;
  return (wanted - room + topology.page - Bytes(1)).value / topology.page.value;
}

/// Adds the move of one page; neighbours that go to the same tier become one move.
inline void add_move(MigrationPlan& plan, std::uintptr_t page, Bytes bytes, TierId to) {
  if (!plan.moves.empty()) {
    PageMove& last = plan.moves.back();
    if (last.to == to && last.address + last.bytes.value == page) {
      last.bytes += bytes;
      return;
    }
  }
  plan.moves.push_back({.address = page, .bytes = bytes, .to = to});
}

/// Where pages go that leave a tier: to the next slower one with room, to the slowest in any case.
class TierBelow {
 public:
  /// `middle`: the tiers between the fastest and the slowest may be used.
  TierBelow(Machine& machine, TierId from, bool middle = true)
      : slowest_(static_cast<std::uint8_t>(machine.topology().tiers.size() - 1)), tier_(slowest_) {
    if (!middle) return;
    for (tier_ = TierId(from.value + 1); tier_ < slowest_; ++tier_.value) {
      room_.push_back(machine.room(tier_).value / machine.topology().page.value);
    }
    tier_ = TierId(from.value + 1);
  }

  /// Counts a page.
  TierId next() {
    while (tier_ < slowest_ && room_[at_] == 0) ++tier_.value, ++at_;
    if (tier_ < slowest_) --room_[at_];
    return tier_;
  }

 private:
  TierId slowest_, tier_;
  std::vector<std::uint64_t> room_;
  std::size_t at_ = 0;
};

/// So many pages down, then so many up to the fastest tier, and so on.
inline MigrationPlan by_turns(std::span<const std::uintptr_t> down, TierBelow& below,
                              std::span<const std::uintptr_t> up, std::size_t batch, Bytes page) {
  MigrationPlan plan;
  for (std::size_t at = 0; at < std::max(up.size(), down.size()); at += batch) {
    for (std::size_t i = at; i < std::min(at + batch, down.size()); ++i) add_move(plan, down[i], page, below.next());
    for (std::size_t i = at; i < std::min(at + batch, up.size()); ++i) add_move(plan, up[i], page, TierId(0));
  }
  return plan;
}

}  // namespace lbhm::placement
