
#include "runtime/migration/evictor.h"

#include <algorithm>
#include <utility>

#include "runtime/migration/page_units.h"

namespace lbhm::migration {
namespace {

/// Coldest first. A count that is no number sorts as if it were infinite: what is not known is not put out first.
bool colder(const EvictionCandidate& a, const EvictionCandidate& b) {
  const bool a_known = a.per_page == a.per_page, b_known = b.per_page == b.per_page;
  if (a_known != b_known) return a_known;
  if (a_known && a.per_page != b.per_page) return a.per_page < b.per_page;
  return a.address < b.address;
}

/// The pages of a plan as ranges that neither overlap nor touch.
std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges_of(const MigrationPlan& plan) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges, merged;
  for (const PageMove& move : plan.moves) ranges.emplace_back(move.address, move.address + move.bytes.value);
  std::sort(ranges.begin(), ranges.end());
  for (const auto& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, range.second);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

}  // namespace

Evictor::Evictor(Machine& machine, const MigrationPlan& plan, std::vector<EvictionCandidate> candidates,
                 const MigrationOptions& options, Units& units)
    : machine_(machine),
      page_(machine.topology().page.value),
      batch_pages_(std::max<std::size_t>(options.batch_pages, 1)),
      tiers_(options.tiers),
      units_(units),
      asked_(options.asked),
      candidates_(std::move(candidates)),
      plan_(ranges_of(plan)),
      walks_(machine.topology().tiers.size()) {}

void Evictor::sort_candidates() {
  if (!units_.all_single()) candidates_ = by_unit(candidates_, units_);
  std::sort(candidates_.begin(), candidates_.end(), colder);
  sorted_ = true;
}

std::uint64_t Evictor::make_room(TierId from, std::uint64_t pages, MoveReport& report) {
  if (!sorted_) sort_candidates();
  Walk& walk = walks_[from.value];
  std::uint64_t freed = 0;
  while (freed < pages && room_below(from)) {
    if (walk.used == walk.ready.size() && !refill(walk, from)) break;
    const auto begin = walk.ready.begin() + static_cast<std::ptrdiff_t>(walk.used);
    const std::size_t count = units_.least(std::span(walk.ready).subspan(walk.used), pages - freed);
    freed += evict({begin, begin + static_cast<std::ptrdiff_t>(count)}, from);
    walk.used += count;
  }
  report.moved += Bytes(freed * page_);
  report.evicted += Bytes(freed * page_);
  return freed;
}

bool Evictor::in_plan(const MoveUnit& unit) const {
  const std::uintptr_t last = unit.first + (unit.pages - 1) * page_;
  const auto after = std::upper_bound(plan_.begin(), plan_.end(), last,
                                      [](std::uintptr_t p, const auto& range) { return p < range.first; });
  return after != plan_.begin() && unit.first < std::prev(after)->second;
}

bool Evictor::allowed(TierId tier) const { return tiers_.empty() || std::ranges::find(tiers_, tier) != tiers_.end(); }

bool Evictor::room_below(TierId from) {
  for (std::size_t tier = from.value + 1; tier < walks_.size(); ++tier) {
    if (allowed(TierId(static_cast<std::uint8_t>(tier))) &&
        machine_.room(TierId(static_cast<std::uint8_t>(tier))).value >= page_)
      return true;
  }
  return false;
}

std::vector<std::uintptr_t> Evictor::advance(Walk& walk) {
  std::vector<std::uintptr_t> pages;
  while (walk.candidate < candidates_.size() && pages.size() < batch_pages_) {
    const EvictionCandidate& candidate = candidates_[walk.candidate];
    const std::uintptr_t first = candidate.address / page_ * page_;
    const std::uintptr_t page = first + walk.page * page_;
    if (page >= candidate.address + candidate.bytes.value) {
      ++walk.candidate;
      walk.page = 0;
      continue;
    }
    ++walk.page;
    const MoveUnit unit = units_.of(page);
    if (in_plan(unit) || (unit.pages > 1 && !walk.huge.insert(unit.first).second)) continue;
    for (std::uint64_t i = 0; i < unit.pages; ++i) pages.push_back(unit.first + i * page_);
  }
  return pages;
}

bool Evictor::refill(Walk& walk, TierId from) {
  walk.ready.clear();
  walk.used = 0;
  while (walk.ready.empty()) {
    const std::vector<std::uintptr_t> pages = advance(walk);
    if (pages.empty()) return false;
    std::vector<TierId> tiers(pages.size(), no_tier);
    machine_.where(pages, tiers);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (tiers[i] == from) walk.ready.push_back(pages[i]);
    }
  }
  return true;
}

std::uint64_t Evictor::evict(std::vector<std::uintptr_t> pages, TierId from) {
  std::uint64_t freed = 0;
  for (std::size_t tier = from.value + 1; tier < walks_.size() && !pages.empty(); ++tier) {
    const TierId to(static_cast<std::uint8_t>(tier));
    if (!allowed(to)) continue;
    const std::size_t count = units_.most(pages, machine_.room(to).value / page_);
    if (count == 0) continue;
    std::vector<PageStatus> status(count, PageStatus::unmapped);
    machine_.move(std::span(pages).first(count), to, status);
    if (asked_) (*asked_)(std::span(pages).first(count));
    // What was refused for want of room, and what there was no room for, may still fit into the tier below.
    std::vector<std::uintptr_t> rest;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (i < count && status[i] == PageStatus::moved) ++freed;
      if (i >= count || status[i] == PageStatus::full) rest.push_back(pages[i]);
    }
    pages = std::move(rest);
  }
  return freed;
}

}  // namespace lbhm::migration
