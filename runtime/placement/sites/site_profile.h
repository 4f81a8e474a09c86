// What is known of the sites that a program allocates at, while it runs: samples so far, and where their pages are
// (SICM, Olson et al., ACM TACO 2022, section 4.1). Objects of arenas are objects of their sites.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// A site that has pages, or a piece of one.
struct SiteState {
  SiteId site;
  AccessCount reads;
  std::vector<std::vector<PageRange>> lies;  ///< touched pages, by tier and address
  std::vector<PageRange> untouched{};
  std::vector<std::uint64_t> pages;  ///< by tier

  std::uint64_t resident() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : pages) sum += count;
    return sum;
  }
};

class SiteProfile {
 public:
  static constexpr std::uint64_t step = 64 << 10;  ///< no page of Linux is larger, but for huge ones
  /// `piece`: sites are taken apart into pieces of so many bytes (whole `step`s), none of two objects. The paper's
  /// answer to one site with most of the data: "break up large sets of data created from the same site based on
  /// different data features, such as the age of the data, or the PID of the allocating thread" (section 6.3). A site's
  /// objects are by age, and those of its arenas by thread, too. 0: sites are wholes.
  explicit SiteProfile(Bytes piece = Bytes(0)) : piece_((piece.value + step - 1) / step * step) {}

  void born(std::uintptr_t address, Bytes bytes, SiteId site, std::uint64_t nth = 0);
  /// Samples of loads count for the site whose object they hit: "memory reads [...] that miss the last-level processor
  /// caches" (section 5.3). `period`: accesses that a sample stands for.
  void count(std::span<const AccessSample> samples, AccessCount period);
  /// These objects are there now; all others are gone. "Memory access samples always accumulate over time" (section
  /// 4.2): those of sites without objects, too, but not those of pieces.
  void follow(std::span<const PlacedObject> objects);
  /// Every count becomes this share of itself: "[...] optionally reset or re-weight the profile information to
  /// gradually forget older intervals". 1: nothing is forgotten, as in the paper.
  void reweight(double keep);
  /// By the first address of a site or piece, which a rebuilt program keeps; ids of sites are others then.
  std::vector<SiteState> sites(const PagePlacement& placement, Bytes page) const;
  std::size_t objects() const { return objects_.size(); }

 private:
  struct Allocation {
    SiteId site;
    std::uint64_t nth = 0;
  };
  struct Piece {
    SiteId site;
    std::uint64_t nth = 0, number = 0;  ///< of the object, of the piece in it
    auto operator<=>(const Piece&) const = default;
  };
  Piece piece_of(const Allocation& object, std::uint64_t offset) const {
    if (piece_.value == 0) return {.site = object.site};
    return {.site = object.site, .nth = object.nth, .number = offset / piece_.value};
  }

  /// Calls visit(piece, part) for the parts of pieces that these ranges hold, in order.
  template <class Visit>
  void split(std::span<const PageRange> ranges, Bytes page, Visit visit) const;

  const Bytes piece_;
  RangeMap<Allocation> objects_;
  std::map<Piece, AccessCount> reads_;
};

}  // namespace lbhm::placement
