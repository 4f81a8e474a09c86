#include "runtime/placement/daemons/linux_reclaim.h"

#include <algorithm>
#include <utility>

namespace lbhm::placement {

void LinuxReclaim::look(PolicyContext& context) {
  pages_.refresh(context);
  lists_.resize(context.machine().topology().tiers.size() - 1);
  for (std::size_t tier = 0; tier < lists_.size(); ++tier)
    lists_[tier].take_on(pages_, TierId(static_cast<std::uint8_t>(tier)));
}

void LinuxReclaim::follow(PolicyContext& context) {
  std::vector<PageRange> ranges = context.unmanaged();
  for (const PlacedObject& object : context.objects()) ranges.push_back({object.address, object.bytes});
  const bool same = std::ranges::equal(ranges, ranges_, [](const PageRange& a, const PageRange& b) {
    return a.address == b.address && a.bytes == b.bytes;
  });
  if (same) return;
  ranges_ = std::move(ranges);
  look(context);
}

void LinuxReclaim::keep_free(PolicyContext& context, double share) {
  for (std::size_t tier = lists_.size(); tier-- > 0;) {
    const TierId from(static_cast<std::uint8_t>(tier));
    demote(context, from, pages_below_watermark(context.machine(), from, share));
  }
}

std::size_t LinuxReclaim::demote(PolicyContext& context, TierId from, std::size_t wanted) {
  if (wanted == 0 || from.value >= lists_.size()) return 0;
  Machine& machine = context.machine();
  // The lists are as long as on a node that holds the same share of the published footprint.
  const Bytes node = machine.topology().tiers[from.value].capacity;
  const double ratio = active_to_inactive(scaled(node, machine.peak_footprint(), usual_published_footprint, Bytes(1)));
  const std::vector<std::uintptr_t> cold = lists_[from.value].coldest(machine, pages_, from, wanted, ratio);
  if (!cold.empty()) move(context, cold, TierId(from.value + 1));
  return cold.size();
}

void LinuxReclaim::move(PolicyContext& context, const std::vector<std::uintptr_t>& addresses, TierId to) {
  MigrationPlan plan;
  for (const std::uintptr_t address : addresses) add_move(plan, address, context.machine().topology().page, to);
  context.migrate(plan);
  std::vector<TierId> tiers(addresses.size());
  context.where(addresses, tiers);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    Pages::Page* page = pages_.find(addresses[i]);
    if (!page) continue;
    if (page->tier.value < lists_.size() && page->tier != tiers[i]) page->state.listed = false;
    page->tier = tiers[i];
    if (to != TierId(0)) page->state = {};
    if (tiers[i].value < lists_.size()) lists_[tiers[i].value].take_on(*page);
  }
}

}  // namespace lbhm::placement
