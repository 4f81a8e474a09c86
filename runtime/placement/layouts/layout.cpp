
#include "runtime/placement/layouts/layout.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace lbhm::placement {
namespace {

constexpr std::array seats_by_cost{Seat::fast, Seat::untouched, Seat::leaving, Seat::slow};

/// So many pages leave before as many others come: a batch of the mover.
constexpr std::uint64_t batch_pages = 64;

auto first_behind(std::span<const PageRange> ranges, std::uintptr_t address) {
  return std::ranges::upper_bound(ranges, address, {},
                                  [](const PageRange& range) { return range.address + range.bytes.value; });
}

/// The next address at which the seat changes, and the seat before it.
struct Piece {
  std::uintptr_t end;
  bool inside;
};
Piece piece_at(std::span<const PageRange> ranges, std::uintptr_t at, std::uintptr_t end) {
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

std::uint64_t pages_of_ranges(std::span<const PageRange> ranges, Bytes page) {
  std::uint64_t sum = 0;
  for (const PageRange& range : ranges) sum += range.bytes.value / page.value;
  return sum;
}

/// Pages of a tier against pages of slower ones: the hottest come first, the coldest leave.
class Exchange {
 public:
  Exchange(const PhaseForecast& phase, std::span<const Segment> coming, std::span<const Segment> going,
           std::uint64_t to_leave)
      : phase_(phase),
        come_(coming),
        go_(going),
        to_come_(pages_of(coming)),
        to_leave_(to_leave),
        room_(to_come_ > to_leave ? to_come_ - to_leave : 0) {}

  /// So many pages of those that have to leave, if there are as many.
  std::uint64_t leave(std::uint64_t pages, std::vector<PageMove>& moves) {
    const std::uint64_t out = std::min(to_leave_, pages);
    go_.take(out, phase_.page, [&](const PageRange& r) { moves.push_back({r.address, r.bytes, phase_.slowest}); });
    to_leave_ -= out;
    return out;
  }

  /// All that is left to do.
  void finish(std::vector<PageMove>& moves) {
    while (to_come_ > 0 || to_leave_ > 0) {
      leave(room_ > 0 ? 0 : batch_pages, moves);
      const std::uint64_t in = std::min(to_come_, room_ > 0 ? room_ : batch_pages);
      come_.take(in, phase_.page, [&](const PageRange& r) { moves.push_back({r.address, r.bytes, phase_.fast}); });
      room_ = 0;
      to_come_ -= in;
    }
  }

 private:
  const PhaseForecast& phase_;
  Taker come_, go_;
  std::uint64_t to_come_, to_leave_, room_;
};

/// Pages that leave a faster tier come to this one, instead of the slowest, where there is room at that time.
class Catcher {
 public:
  /// `free`: pages before the first move; `spare`: pages that nobody wants in the end.
  Catcher(const PhaseForecast& phase, std::span<const PageRange> rising, std::uint64_t free, std::uint64_t spare)
      : phase_(phase), rising_(rising), free_(free), spare_(spare) {}

  /// `kept`: of the pages that leave, those that this tier is to hold.
  void run(std::vector<PageMove>& moves, const PageRanges& kept, Exchange& exchange) {
    const std::vector<PageMove> before = std::move(moves);
    moves.clear();
    std::vector<PageMove> later;
    for (const PageMove& move : before) {
      if (move.to != phase_.slowest) {
        rising_.split({move.address, move.bytes}, [&](const PageRange& part, bool here) {
          if (here) free_ += part.bytes.value / phase_.page.value;
        });
        moves.push_back(move);
        continue;
      }
      kept.split({move.address, move.bytes}, [&](const PageRange& part, bool wanted) {
        const std::uint64_t pages = part.bytes.value / phase_.page.value;
        if (wanted && free_ < pages) free_ += exchange.leave(pages - free_, moves);
        std::uint64_t& limit = wanted ? free_ : spare_;
        const std::uint64_t caught = std::min({pages, free_, limit});
        add(moves, part.address, caught, phase_.fast);
        add(moves, part.address + caught * phase_.page.value, pages - caught, phase_.slowest);
        if (wanted) add(later, part.address + caught * phase_.page.value, pages - caught, phase_.fast);
        free_ -= caught;
        if (!wanted) spare_ -= caught;
      });
    }
    exchange.finish(moves);
    std::ranges::move(later, std::back_inserter(moves));
  }

 private:
  void add(std::vector<PageMove>& moves, std::uintptr_t address, std::uint64_t pages, TierId to) const {
    if (pages > 0) moves.push_back({address, phase_.page * pages, to});
  }

  const PhaseForecast& phase_;
  PageRanges rising_;
  std::uint64_t free_, spare_;
};

}  // namespace

std::vector<PageMove> exchange(const PhaseForecast& phase, std::span<const Segment> coming,
                               std::span<const Segment> going) {
  std::vector<PageMove> moves;
  Exchange(phase, coming, going, pages_of(going)).finish(moves);
  return moves;
}

std::vector<PageRange> PageRanges::all() const {
  std::vector<PageRange> ranges;
  for (const auto& [begin, range] : ranges_) ranges.push_back({begin, Bytes(range.end - begin)});
  return ranges;
}

Layout::Layout(const PhaseForecast& phase, const HeatMap& map, const PlannedAbove& above)
    : phase_(phase), map_(map), above_(above), capacity_(phase.room.value / phase.page.value) {
  fast_.resize(map.runs.size());
  free_.resize(map.runs.size());
  std::vector<PageRange> used;
  for (std::size_t run = 0; run < map.runs.size(); ++run) {
    first_.push_back(segments_.size());
    const HeatRun& r = map.runs[run];
    const std::uintptr_t begin = phase.objects[r.slot.value] + r.first.value * phase.page.value;
    used.push_back({begin, phase.page * r.pages});
    cut(run, begin, begin + r.pages * phase.page.value);
  }
  first_.push_back(segments_.size());
  std::ranges::sort(used, {}, &PageRange::address);
  for (const PageRange& range : phase.placement.in(phase.fast)) {
    const std::uintptr_t end = range.address + range.bytes.value;
    for (std::uintptr_t at = range.address; at < end;) {
      const Piece piece = piece_at(used, at, end);
      if (!piece.inside) others_.push_back({at, (piece.end - at) / phase.page.value, Seat::fast, {}});
      at = piece.end;
    }
  }
  unused_ = pages_of(others_);
}

void Layout::cut(std::size_t run, std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t at = begin; at < end;) {
    const Piece fast = piece_at(phase_.placement.in(phase_.fast), at, end);
    const Piece untouched = piece_at(phase_.placement.untouched, at, end);
    const Piece left = piece_at(above_.leaving, at, end);
    const Seat seat = fast.inside        ? Seat::fast
                      : untouched.inside ? Seat::untouched
                      : left.inside      ? Seat::leaving
                                         : Seat::slow;
    const std::uintptr_t next = std::min({fast.end, untouched.end, left.end});
    const std::uint64_t pages = (next - at) / phase_.page.value;
    segments_.push_back({at, pages, seat, map_.runs[run].per_page});
    if (seat == Seat::fast) fast_[run] += pages;
    if (seat == Seat::untouched || seat == Seat::leaving) free_[run] += pages;
    at = next;
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
    const std::uint64_t free = fast_[run] + free_[run];
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
        out.address += in.pages * phase_.page.value;
        out.pages -= in.pages;
        left -= in.pages;
        visit(in, out);
      }
    }
  }
}

std::uint64_t Layout::filled(std::span<const std::uint64_t> pages) const {
  std::uint64_t all = unused_;
  for (std::size_t run = 0; run < pages.size(); ++run) all += std::max(pages[run], fast_[run]);
  return std::min(all, capacity_);
}

void Layout::write(std::span<const std::uint64_t> pages, Decision& decision) const {
  std::vector<Segment> coming, going = others_;
  PageRanges kept;
  const auto appear = [&](const Segment& segment, TierId tier) {
    decision.appear.moves.push_back({segment.address, phase_.page * segment.pages, tier});
  };
  walk(pages, [&](const Segment& in, const Segment& out) {
    if (in.seat == Seat::slow && in.pages > 0) coming.push_back(in);
    if (in.seat == Seat::leaving) kept.add({in.address, phase_.page * in.pages});
    if (in.seat == Seat::fast && out.pages > 0) going.push_back(out);
    if (in.seat == Seat::untouched && in.pages > 0) appear(in, phase_.fast);
    if (in.seat == Seat::untouched && out.pages > 0) appear(out, phase_.slowest);
  });
  std::ranges::sort(coming, hotter);
  std::ranges::sort(going, [](const Segment& a, const Segment& b) { return hotter(b, a); });
  std::vector<PageMove>& moves = decision.background.moves;
  Exchange exchange(phase_, coming, going, leaving(pages));
  if (moves.empty()) return exchange.finish(moves);
  const std::uint64_t here =
      pages_of_ranges(phase_.placement.in(phase_.fast), phase_.page) + pages_of_ranges(above_.rising, phase_.page);
  Catcher(phase_, above_.rising, capacity_ - std::min(capacity_, here), capacity_ - filled(pages))
      .run(moves, kept, exchange);
}

std::vector<PageRange> pages_of_objects(PolicyContext& context, std::span<const std::uintptr_t> pages) {
  const Bytes page = context.machine().topology().page;
  PageRanges objects, found;
  for (const PlacedObject& object : context.objects()) objects.add({object.address, object.bytes});
  for (const std::uintptr_t address : pages) {
    objects.split({address, page}, [&](const PageRange& part, bool inside) {
      if (inside) found.add(part);
    });
  }
  return found.all();
}

}  // namespace lbhm::placement
