// How much may move: limits of rates, watermarks of the fastest tier, and plans of single pages.
#pragma once

#include <algorithm>
#include <span>

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

/// Pages that go to one tier.
struct PagesTo {
  std::span<const std::uintptr_t> pages;
  TierId to;
};

/// So many pages of one kind, then so many of the other, and so on.
inline MigrationPlan by_turns(PagesTo one, PagesTo other, std::size_t batch, Bytes page) {
  MigrationPlan plan;
  for (std::size_t at = 0; at < std::max(one.pages.size(), other.pages.size()); at += batch) {
    for (const PagesTo& kind : {one, other}) {
      for (std::size_t i = at; i < std::min(at + batch, kind.pages.size()); ++i)
        add_move(plan, kind.pages[i], page, kind.to);
    }
  }
  return plan;
}

}  // namespace lbhm::placement
