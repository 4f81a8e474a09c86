#include "runtime/placement/residence.h"

#include <vector>

namespace lbhm {
namespace {

void add(std::vector<PageRange>& ranges, std::uintptr_t address, Bytes page) {
  if (!ranges.empty() && ranges.back().address + ranges.back().bytes.value == address)
    ranges.back().bytes += page;
  else
    ranges.push_back({address, page});
}

}  // namespace

PagePlacement page_placement_of(Machine& machine, std::span<const Object> managed) {
  const Bytes page = machine.topology().page;
  PagePlacement placement{.tiers = std::vector<std::vector<PageRange>>(machine.topology().tiers.size())};
  std::vector<std::uintptr_t> pages;
  std::vector<TierId> tiers;
  for (const Object& object : managed) {
    if (!object.migratable) continue;
    pages.resize((object.bytes.value + page.value - 1) / page.value);
    tiers.resize(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = object.address + i * page.value;
    machine.where(pages, tiers);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (tiers[i].value < placement.tiers.size()) add(placement.tiers[tiers[i].value], pages[i], page);
      if (tiers[i] == no_tier) add(placement.untouched, pages[i], page);
    }
  }
  return placement;
}

Bytes managed_room(Machine& machine, const PagePlacement& placement) {
  Bytes fast = machine.room(TierId(0));
  for (const PageRange& range : placement.in(TierId(0))) fast += range.bytes;
  return fast;
}

}  // namespace lbhm
