#include "runtime/placement/value/page_market.h"

#include <algorithm>

#include "runtime/placement/daemons/daemon.h"

namespace lbhm::placement {

/// Whether the other one comes first: the worst of fast memory, the best of slow memory.
bool PageMarket::later_of_fast(const Offer& a, const Offer& b) {
  return a.worth != b.worth ? a.worth > b.worth : a.address > b.address;
}
bool PageMarket::later_of_slow(const Offer& a, const Offer& b) {
  return a.worth != b.worth ? a.worth < b.worth : a.address > b.address;
}

/// What moves, by key; what leaves goes first.
class PageMarket::Moves {
 public:
  Moves(Machine& machine, const Residents& residents, Bytes page)
      : residents_(residents), below_(machine, TierId(0)), page_(page) {}

  void add(std::uintptr_t address, std::uint64_t pages, bool fast) {
    (fast ? down_ : up_).push_back({address, page_ * pages});
  }
  MigrationPlan plan() {
    MigrationPlan plan;
    std::ranges::sort(down_, {}, &PageRange::address);
    std::ranges::sort(up_, {}, &PageRange::address);
    for (const PageRange& range : down_) add(plan, range, [&] { return below_.next(); });
    for (const PageRange& range : up_) add(plan, range, [] { return TierId(0); });
    return plan;
  }

 private:
  template <class To>
  void add(MigrationPlan& plan, const PageRange& range, To to) const {
    for (Bytes at; at < range.bytes; at += page_)
      add_move(plan, residents_.address_of(range.address + at.value), page_, to());
  }

  const Residents& residents_;
  TierBelow below_;
  Bytes page_;
  std::vector<PageRange> up_, down_;
};

MigrationPlan PageMarket::go_home(Machine& machine) const {
  Moves moves(machine, residents_, terms_.page);
  for (const auto& [begin, range] : residents_.pages())
    if (range.value.away()) moves.add(begin, (range.end - begin) / terms_.page.value, range.value.fast());
  return moves.plan();
}

/// Over the horizon. As far as predictions are right, a page that the plan has in slow memory is worth nothing, and has
/// to go there and back.
double PageMarket::worth(double rate, bool unwanted) const {
  constexpr double there_and_back = 2;
  const double seen = rate * terms_.horizon.value;
  return unwanted ? seen * (1 - terms_.trust) - there_and_back * terms_.exchange * terms_.trust : seen;
}

void PageMarket::offer(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page, double worth) {
  if (begin >= end) return;
  ++looks_;
  if (!page.fast() && worth <= terms_.exchange / 2) return;  // not even for a free place
  const std::uint64_t pages = (end - begin) / terms_.page.value;
  (page.fast() ? fast_ : slow_).push_back({.worth = worth, .address = begin, .pages = pages, .away = page.away()});
}

/// Of one object, or of none. Pages with evidence are offers of their own, what lies between them is one.
void PageMarket::offer_parts(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page, bool unwanted) {
  const double of_others = worth(values_.rate_of_unseen(begin), unwanted);
  std::uintptr_t at = begin;
  values_.visit_seen(begin, end, [&](std::uintptr_t seen, double rate) {
    offer(at, seen, page, of_others);
    at = seen + terms_.page.value;
    offer(seen, at, page, worth(rate, unwanted));
  });
  offer(at, end, page, of_others);
}

void PageMarket::offer_range(std::uintptr_t begin, std::uintptr_t end, const Residents::Page& page) {
  std::uintptr_t at = begin;
  const auto offer_until = [&](std::uintptr_t to, bool unwanted) {
    while (at < to) {
      const std::uintptr_t border = std::min(to, values_.border_behind(at));
      offer_parts(at, border, page, unwanted);
      at = border;
    }
  };
  chosen_.visit(begin, end, [&](std::uintptr_t first, std::uintptr_t last, bool chosen) {
    offer_until(first, false);
    offer_until(last, !chosen);
  });
  offer_until(end, false);
}

void PageMarket::collect(bool only_home) {
  for (const auto& [begin, range] : residents_.pages())
    if (!only_home || range.value.away()) offer_range(begin, range.end, range.value);
  std::ranges::make_heap(fast_, later_of_fast);
  std::ranges::make_heap(slow_, later_of_slow);
}

/// Of the next offer as many pages as the account pays for, with their way back where they leave home.
std::uint64_t PageMarket::take(std::vector<Offer>& from, std::uint64_t most, Moves& moves) {
  const bool fast = &from == &fast_;
  Offer& next = from.front();
  std::uint64_t pages = std::min(most, next.pages);
  if (!next.away) pages = std::min(pages, static_cast<std::uint64_t>(std::max(0.0, slack_) / terms_.exchange));
  if (!next.away) slack_ -= static_cast<double>(pages) * terms_.exchange;  // who returns pays its own way
  moves.add(next.address, pages, fast);
  next.address += pages * terms_.page.value, next.pages -= pages;
  if (next.pages == 0) {
    std::ranges::pop_heap(from, fast ? later_of_fast : later_of_slow);
    from.pop_back();
  }
  return pages;
}

/// For pages that will appear and are worth more than the worst page that is fast and its copy.
void PageMarket::make_room(std::uint64_t& free, Moves& moves) {
  if (fast_.empty()) return;
  const double births = values_.births(fast_.front().worth + terms_.exchange / 2);
  const auto kept = static_cast<std::uint64_t>(std::min(births, terms_.reserve));
  while (free < kept && !fast_.empty()) {
    const std::uint64_t pages = take(fast_, kept - free, moves);
    if (pages == 0) break;
    free += pages;
  }
  free -= std::min(free, kept);
}

/// The best page of slow memory, or some of them that are equal. False: there is none, or it is not worth it.
bool PageMarket::buy(std::uint64_t& free, Moves& moves) {
  if (slow_.empty()) return false;
  if (free > 0) {
    const std::uint64_t pages = take(slow_, free, moves);
    free -= pages;
    return pages > 0;
  }
  if (fast_.empty() || slow_.front().worth - fast_.front().worth <= terms_.exchange) return false;
  // Both leave, or neither does.
  const double leave = (fast_.front().away ? 0 : 1) + (slow_.front().away ? 0 : 1);
  std::uint64_t pages = std::min(fast_.front().pages, slow_.front().pages);
  if (leave > 0) pages = std::min(pages, static_cast<std::uint64_t>(std::max(0.0, slack_) / (leave * terms_.exchange)));
  if (pages == 0) return false;
  take(fast_, pages, moves);
  take(slow_, pages, moves);
  return true;
}

MigrationPlan PageMarket::trade(Machine& machine) {
  slack_ = terms_.account - static_cast<double>(residents_.away()) * terms_.exchange / 2;
  if (slack_ < 0 && residents_.away() > 0) return go_home(machine);
  collect(slack_ < 2 * terms_.exchange);
  Moves moves(machine, residents_, terms_.page);
  std::uint64_t free = machine.room(TierId(0)).value / terms_.page.value;
  make_room(free, moves);
  while (buy(free, moves)) {}
  return moves.plan();
}

}  // namespace lbhm::placement
