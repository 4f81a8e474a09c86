// From "so many pages of each run" to the pages themselves, given where they are now.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/placement/page_heat.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

enum class Seat : std::uint8_t { slow, untouched, fast };

/// Neighbouring pages in one seat, used alike.
struct Segment {
  std::uintptr_t address = 0;
  std::uint64_t pages = 0;
  Seat seat = Seat::slow;
  AccessCount per_page;  ///< 0: not used by this scope
};

/// The pages of a scope before a plan. Refers to the map.
class Layout {
 public:
  Layout(const ScopeForecast& scope, const HeatMap& map);

  /// Pages of each run that are in fast memory now.
  std::span<const std::uint64_t> fast() const { return fast_; }
  /// Pages in fast memory that this scope does not use.
  std::uint64_t unused() const { return unused_; }
  std::uint64_t capacity() const { return capacity_; }

  /// What is left of fast memory is for the pages that save most (`savings`: of a page, by run) as far as they need no
  /// copy, because they are there or have yet to appear, or save more than `worth_copying`. Adds them to `pages`, which
  /// are at most capacity().
  void fill(std::span<const double> savings, double worth_copying, std::vector<std::uint64_t>& pages) const;
  /// Pages to copy, those that have to leave included, until `pages` of each run are fast.
  std::uint64_t copies(std::span<const std::uint64_t> pages) const;
  /// The plan: untouched pages appear where they should; then the hottest come first, and the coldest leave just before
  /// their room is needed.
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

  const ScopeForecast& scope_;
  const HeatMap& map_;
  std::vector<Segment> segments_;                // by run
  std::vector<std::size_t> first_;               // of each run, and the end
  std::vector<Segment> others_;                  // in fast memory, in no run
  std::vector<std::uint64_t> fast_, untouched_;  // pages, by run
  std::uint64_t capacity_ = 0, unused_ = 0;
};

}  // namespace lbhm::placement
