// From "so many pages of each run" to the pages themselves, given where they are now.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/placement/heat/page_heat.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

// A set of pages as ranges of addresses.

class PageRanges {
 public:
  PageRanges() = default;
  explicit PageRanges(std::span<const PageRange> ranges) {
    for (const PageRange& range : ranges) add(range);
  }

  void add(const PageRange& range) { ranges_.join(range.address, range.address + range.bytes.value, {}); }
  void remove(const PageRange& range) { ranges_.cut(range.address, range.address + range.bytes.value); }

  /// Calls visit(part, inside) for the parts of a range in order: each wholly inside of the set or outside.
  template <class Visit>
  void split(const PageRange& range, Visit visit) const {
    const std::uintptr_t end = range.address + range.bytes.value;
    for (std::uintptr_t at = range.address; at < end;) {
      const auto next = ranges_.from(at);
      const bool inside = next != ranges_.end() && next->first <= at;
      const std::uintptr_t border = inside ? next->second.end : next == ranges_.end() ? end : next->first;
      const std::uintptr_t until = border < end ? border : end;
      visit(PageRange{at, Bytes(until - at)}, inside);
      at = until;
    }
  }

  /// By address, not overlapping.
  std::vector<PageRange> all() const;

 private:
  RangeMap<std::monostate> ranges_;
};

/// Those of these pages, given by their first bytes, that belong to objects.
std::vector<PageRange> pages_of_objects(PolicyContext& context, std::span<const std::uintptr_t> pages);

/// `leaving`: the plan for faster tiers moves the page down anyhow, so that it needs no copy of its own.
enum class Seat : std::uint8_t { slow, leaving, untouched, fast };

/// What the plan for faster tiers does, by address: pages that leave them, and pages of this tier that they take.
struct PlannedAbove {
  std::vector<PageRange> leaving, rising;
};

/// Neighbouring pages in one seat, used alike.
struct Segment {
  std::uintptr_t address = 0;
  std::uint64_t pages = 0;
  Seat seat = Seat::slow;
  AccessCount per_page;  ///< 0: not used by this phase
};

/// Pages of slower tiers for pages of phase.fast, in these orders: a batch leaves just before as many come.
std::vector<PageMove> exchange(const PhaseForecast& phase, std::span<const Segment> coming,
                               std::span<const Segment> going);

inline const PlannedAbove nothing_above{};

/// The pages of a phase before a plan. Refers to its arguments.
class Layout {
 public:
  Layout(const PhaseForecast& phase, const HeatMap& map, const PlannedAbove& above = nothing_above);

  /// Pages of each run that are in fast memory now.
  std::span<const std::uint64_t> fast() const { return fast_; }
  /// Pages in fast memory that this phase does not use.
  std::uint64_t unused() const { return unused_; }
  std::uint64_t capacity() const { return capacity_; }

  /// Of a run, that need no copy to be fast: they are there or have yet to appear.
  std::uint64_t uncopied(std::size_t run) const { return fast_[run] + free_[run]; }
  /// Pages to copy, those that have to leave included, until `pages` of each run are fast.
  std::uint64_t copies(std::span<const std::uint64_t> pages) const;
  /// The plan: untouched pages appear where they should; then the hottest come first, and the coldest leave just before
  /// their room is needed. What moves of the decision take down from a faster tier comes here straight away, if it is
  /// to be here and there is room.
  void write(std::span<const std::uint64_t> pages, Decision& decision) const;

 private:
  void cut(std::size_t run, std::uintptr_t begin, std::uintptr_t end);
  std::span<const Segment> segments_of(std::size_t run) const {
    return std::span(segments_).subspan(first_[run], first_[run + 1] - first_[run]);
  }
  /// Calls visit(in, out) for every segment: the part that is to be fast, and the part that is not.
  template <class Visit>
  void walk(std::span<const std::uint64_t> pages, Visit visit) const;
  std::uint64_t leaving(std::span<const std::uint64_t> pages) const;
  /// Pages that the tier holds in the end.
  std::uint64_t filled(std::span<const std::uint64_t> pages) const;

  const PhaseForecast& phase_;
  const HeatMap& map_;
  const PlannedAbove& above_;
  std::vector<Segment> segments_;           // by run
  std::vector<std::size_t> first_;          // of each run, and the end
  std::vector<Segment> others_;             // in fast memory, in no run
  std::vector<std::uint64_t> fast_, free_;  // pages, by run; free_: they need no copy to be fast
  std::uint64_t capacity_ = 0, unused_ = 0;
};

}  // namespace lbhm::placement
