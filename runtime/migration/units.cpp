#include "runtime/migration/units.h"

#include <algorithm>

namespace lbhm::migration {

Units::Units(Machine& machine, const MigrationPlan& plan)
    : machine_(machine), page_(machine.topology().page.value), block_(machine.largest_unit().value) {
  if (!all_single()) note_fastest(plan);
}

void Units::note_fastest(const MigrationPlan& plan) {
  const auto other = [&](const PageMove& move) { return move.to != plan.moves.front().to; };
  if (std::ranges::none_of(plan.moves, other)) return;
  for (const PageMove& move : plan.moves) {
    const std::uintptr_t end = move.address + move.bytes.value;
    for (std::uintptr_t block = move.address / block_ * block_; block < end; block += block_) {
      TierId& fastest = fastest_.try_emplace(block, move.to).first->second;
      fastest = std::min(fastest, move.to);
    }
  }
}

bool Units::whole(std::uintptr_t block) {
  const auto [found, is_new] = whole_.try_emplace(block, false);
  if (is_new) found->second = machine_.moves_whole(block);
  return found->second;
}

Unit Units::of(std::uintptr_t page) {
  if (all_single()) return {page, 1};
  const std::uintptr_t block = page / block_ * block_;
  return whole(block) ? Unit{block, block_ / page_} : Unit{page, 1};
}

Unit Units::take(std::uintptr_t page, TierId to) {
  const Unit unit = of(page);
  if (unit.pages <= 1) return unit;
  const auto fastest = fastest_.find(unit.first);
  if (fastest != fastest_.end() && fastest->second < to) return {};
  return taken_.insert(unit.first).second ? unit : Unit{};
}

std::size_t Units::end(std::span<const std::uintptr_t> pages, std::size_t first) {
  const Unit unit = of(pages[first]);
  if (unit.pages <= 1) return first + 1;
  const std::uintptr_t behind = unit.first + unit.pages * page_;
  std::size_t end = first + 1;
  while (end < pages.size() && pages[end] >= unit.first && pages[end] < behind) ++end;
  return end;
}

std::size_t Units::least(std::span<const std::uintptr_t> pages, std::size_t wanted) {
  if (all_single()) return std::min(pages.size(), wanted);
  std::size_t count = 0;
  while (count < pages.size() && count < wanted) count = end(pages, count);
  return count;
}

std::size_t Units::most(std::span<const std::uintptr_t> pages, std::size_t limit) {
  if (all_single()) return std::min(pages.size(), limit);
  std::size_t count = 0;
  while (count < pages.size()) {
    const std::size_t next = end(pages, count);
    if (next > limit) break;
    count = next;
  }
  return count;
}

}  // namespace lbhm::migration
