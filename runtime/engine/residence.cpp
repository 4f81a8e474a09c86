#include "runtime/engine/residence.h"

#include <vector>

namespace lbhm::engine {
namespace {

void add(std::vector<PageRange>& ranges, std::uintptr_t address, Bytes page) {
  if (!ranges.empty() && ranges.back().address + ranges.back().bytes.value == address)
    ranges.back().bytes += page;
  else
    ranges.push_back({address, page});
}

}  // namespace

Residence residence_of(Machine& machine, std::span<const Object> managed) {
  const Bytes page = machine.topology().page;
  Residence residence;
  std::vector<std::uintptr_t> pages;
  std::vector<TierId> tiers;
  for (const Object& object : managed) {
    if (!object.migratable) continue;
    pages.resize((object.bytes.value + page.value - 1) / page.value);
    tiers.resize(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = object.address + i * page.value;
    machine.where(pages, tiers);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (tiers[i] == TierId(0)) add(residence.fast, pages[i], page);
      if (tiers[i] == no_tier) add(residence.untouched, pages[i], page);
    }
  }
  return residence;
}

Bytes fast_capacity(Machine& machine, const Residence& residence) {
  Bytes fast = machine.room(TierId(0));
  for (const PageRange& range : residence.fast) fast += range.bytes;
  return fast;
}

}  // namespace lbhm::engine
