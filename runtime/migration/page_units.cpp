
#include "runtime/migration/page_units.h"

#include <algorithm>
#include <map>

namespace lbhm::migration {
namespace {

using Pieces = std::vector<EvictionCandidate>;

EvictionCandidate part_of(const EvictionCandidate& candidate, std::uintptr_t begin, std::uintptr_t end) {
  return {.address = begin, .bytes = Bytes(end - begin), .per_page = candidate.per_page};
}

/// What fills blocks goes to `rest` as it is; what shares its block with something else, to `shared`.
void split(const EvictionCandidate& candidate, std::uint64_t block, Pieces& rest,
           std::map<std::uintptr_t, Pieces>& shared) {
  const std::uintptr_t end = candidate.address + candidate.bytes.value;
  for (std::uintptr_t at = candidate.address; at < end;) {
    const std::uintptr_t first = at / block * block;
    const bool fills = at == first && first + block <= end;
    const std::uintptr_t until = fills ? end / block * block : std::min(end, first + block);
    (fills ? rest : shared[first]).push_back(part_of(candidate, at, until));
    at = until;
  }
}

}  // namespace

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

MoveUnit Units::unit_of(std::uintptr_t page) {
  const std::uintptr_t block = page / block_ * block_;
  return whole(block) ? MoveUnit{block, block_ / page_} : MoveUnit{page, 1};
}

MoveUnit Units::take_unit(std::uintptr_t page, TierId to) {
  const MoveUnit unit = unit_of(page);
  if (unit.pages <= 1) return unit;
  const auto fastest = fastest_.find(unit.first);
  if (fastest != fastest_.end() && fastest->second < to) return {};
  return taken_.insert(unit.first).second ? unit : MoveUnit{};
}

std::size_t Units::unit_end(std::span<const std::uintptr_t> pages, std::size_t first) {
  const MoveUnit unit = unit_of(pages[first]);
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

Pieces by_unit(const Pieces& candidates, Units& units) {
  Pieces all;
  std::map<std::uintptr_t, Pieces> shared;
  for (const EvictionCandidate& candidate : candidates) split(candidate, units.block().value, all, shared);
  for (const auto& [block, pieces] : shared) {
    const MoveUnit unit = units.of(block);
    if (unit.pages <= 1) {
      all.insert(all.end(), pieces.begin(), pieces.end());
      continue;
    }
    AccessCount sum(0);
    for (const EvictionCandidate& piece : pieces) sum += piece.per_page * (piece.bytes / units.page());
    all.push_back({.address = block, .bytes = units.block(), .per_page = sum / static_cast<double>(unit.pages)});
  }
  return all;
}

}  // namespace lbhm::migration
