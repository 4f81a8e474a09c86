#include "runtime/placement/layout.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lbhm::placement {
namespace {

constexpr TierId fast_tier{0};
constexpr std::array seats_by_cost{Seat::fast, Seat::untouched, Seat::slow};

/// So many pages leave before as many others come: a batch of the mover.
constexpr std::uint64_t batch_pages = 64;

auto first_behind(std::span<const PageRange> ranges, std::uintptr_t address) {
  return std::ranges::upper_bound(ranges, address, {},
                                  [](const PageRange& range) { return range.address + range.bytes.value; });
}

/// The next address at which the seat changes, and the seat before it.
struct Stretch {
  std::uintptr_t end;
  bool inside;
};
Stretch stretch_at(std::span<const PageRange> ranges, std::uintptr_t at, std::uintptr_t end) {
  const auto range = first_behind(ranges, at);
  if (range == ranges.end() || range->address >= end) return {end, false};
  if (range->address > at) return {range->address, false};
  return {std::min<std::uintptr_t>(end, range->address + range->bytes.value), true};
}

/// Takes up to `pages` pages of a list of segments, one after the other.
class Taker {
 public:
  explicit Taker(std::span<const Segment> segments) : segments_(segments) {}

  template <class Add>
  void take(std::uint64_t pages, Bytes page, Add add) {
    while (pages > 0 && at_ < segments_.size()) {
      const Segment& segment = segments_[at_];
      const std::uint64_t count = std::min(pages, segment.pages - taken_);
      add(PageRange{segment.address + taken_ * page.value, page * count});
      pages -= count;
      taken_ += count;
      if (taken_ == segment.pages) ++at_, taken_ = 0;
    }
  }

 private:
  std::span<const Segment> segments_;
  std::size_t at_ = 0;
  std::uint64_t taken_ = 0;
};

bool hotter(const Segment& a, const Segment& b) {
  return a.per_page != b.per_page ? a.per_page > b.per_page : a.address < b.address;
}

std::uint64_t pages_of(std::span<const Segment> segments) {
  std::uint64_t sum = 0;
  for (const Segment& segment : segments) sum += segment.pages;
  return sum;
}

}  // namespace

Layout::Layout(const ScopeForecast& scope, const HeatMap& map)
    : scope_(scope), map_(map), capacity_(scope.room.value / scope.page.value) {
  fast_.resize(map.runs.size());
  untouched_.resize(map.runs.size());
  std::vector<PageRange> used;
  for (std::size_t run = 0; run < map.runs.size(); ++run) {
    first_.push_back(segments_.size());
    const HeatRun& r = map.runs[run];
    const std::uintptr_t begin = scope.objects[r.slot.value] + r.first.value * scope.page.value;
    used.push_back({begin, scope.page * r.pages});
    cut(run, begin, begin + r.pages * scope.page.value);
  }
  first_.push_back(segments_.size());
  std::ranges::sort(used, {}, &PageRange::address);
  for (const PageRange& range : scope.placement.in(fast_tier)) {
    const std::uintptr_t end = range.address + range.bytes.value;
    for (std::uintptr_t at = range.address; at < end;) {
      const Stretch stretch = stretch_at(used, at, end);
      if (!stretch.inside) others_.push_back({at, (stretch.end - at) / scope.page.value, Seat::fast, {}});
      at = stretch.end;
    }
  }
  unused_ = pages_of(others_);
}

void Layout::cut(std::size_t run, std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t at = begin; at < end;) {
    const Stretch fast = stretch_at(scope_.placement.in(fast_tier), at, end);
    const Stretch untouched = stretch_at(scope_.placement.untouched, at, end);
    const Seat seat = fast.inside ? Seat::fast : untouched.inside ? Seat::untouched : Seat::slow;
    const std::uintptr_t next = std::min(fast.end, untouched.end);
    const std::uint64_t pages = (next - at) / scope_.page.value;
    segments_.push_back({at, pages, seat, map_.runs[run].per_page});
    if (seat == Seat::fast) fast_[run] += pages;
    if (seat == Seat::untouched) untouched_[run] += pages;
    at = next;
  }
}

void Layout::fill(std::span<const double> savings, double worth_copying, std::vector<std::uint64_t>& pages) const {
  std::uint64_t room = capacity_ - std::min(capacity_, std::accumulate(pages.begin(), pages.end(), std::uint64_t{0}));
  std::vector<std::size_t> order(pages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return savings[a] != savings[b] ? savings[a] > savings[b] : a < b; });
  for (const std::size_t run : order) {
    if (room == 0) return;
    const std::uint64_t wanted = savings[run] > worth_copying ? map_.runs[run].pages : fast_[run] + untouched_[run];
    if (wanted <= pages[run]) continue;
    const std::uint64_t more = std::min(room, wanted - pages[run]);
    pages[run] += more;
    room -= more;
  }
}

/// Pages that must leave so that all fit: whatever does not need to leave stays.
std::uint64_t Layout::leaving(std::span<const std::uint64_t> pages) const {
  std::uint64_t wanted = unused_;
  for (std::size_t run = 0; run < pages.size(); ++run) wanted += std::max(pages[run], fast_[run]);
  return wanted > capacity_ ? wanted - capacity_ : 0;
}

std::uint64_t Layout::copies(std::span<const std::uint64_t> pages) const {
  std::uint64_t coming = 0;
  for (std::size_t run = 0; run < pages.size(); ++run) {
    const std::uint64_t free = fast_[run] + untouched_[run];
    if (pages[run] > free) coming += pages[run] - free;
  }
  return coming + leaving(pages);
}

template <class Visit>
void Layout::walk(std::span<const std::uint64_t> pages, Visit visit) const {
  for (std::size_t run = 0; run < pages.size(); ++run) {
    std::uint64_t left = pages[run];
    for (const Seat seat : seats_by_cost) {
      for (const Segment& segment : segments_of(run)) {
        if (segment.seat != seat) continue;
        Segment in = segment, out = segment;
        in.pages = std::min(left, segment.pages);
        out.address += in.pages * scope_.page.value;
        out.pages -= in.pages;
        left -= in.pages;
        visit(in, out);
      }
    }
  }
}

void Layout::write(std::span<const std::uint64_t> pages, Decision& decision) const {
  std::vector<Segment> coming, going = others_;
  const auto appear = [&](const Segment& segment, TierId tier) {
    decision.appear.moves.push_back({segment.address, scope_.page * segment.pages, tier});
  };
  walk(pages, [&](const Segment& in, const Segment& out) {
    if (in.seat == Seat::slow && in.pages > 0) coming.push_back(in);
    if (in.seat == Seat::fast && out.pages > 0) going.push_back(out);
    if (in.seat == Seat::untouched && in.pages > 0) appear(in, fast_tier);
    if (in.seat == Seat::untouched && out.pages > 0) appear(out, scope_.slowest);
  });
  std::ranges::sort(coming, hotter);
  std::ranges::sort(going, [](const Segment& a, const Segment& b) { return hotter(b, a); });

  std::uint64_t to_leave = leaving(pages), to_come = pages_of(coming);
  std::uint64_t room = to_come > to_leave ? to_come - to_leave : 0;
  Taker come(coming), go(going);
  std::vector<PageMove>& moves = decision.background.moves;
  while (to_come > 0 || to_leave > 0) {
    const std::uint64_t out = room > 0 ? 0 : std::min(to_leave, batch_pages);
    go.take(out, scope_.page, [&](const PageRange& r) { moves.push_back({r.address, r.bytes, scope_.slowest}); });
    const std::uint64_t in = std::min(to_come, room > 0 ? room : batch_pages);
    come.take(in, scope_.page, [&](const PageRange& r) { moves.push_back({r.address, r.bytes, fast_tier}); });
    room = 0;
    to_leave -= out;
    to_come -= in;
  }
}

}  // namespace lbhm::placement
