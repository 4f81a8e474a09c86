// What is known of the sites that a program allocates at, while it runs: samples so far, and where their pages are
// (SICM, Olson et al., ACM TACO 2022, section 4.1). Objects of arenas are objects of their sites.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// A site that has pages.
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
  void born(std::uintptr_t address, Bytes bytes, SiteId site);
  /// Samples of loads count for the site whose object they hit: "memory reads [...] that miss the last-level processor
  /// caches" (section 5.3). `period`: accesses that a sample stands for.
  void count(std::span<const AccessSample> samples, AccessCount period);
  /// These objects are there now; all others are gone. "Memory access samples always accumulate over time" (section
  /// 4.2): those of sites without objects, too.
  void follow(std::span<const PlacedObject> objects);
  /// Every count becomes this share of itself: "[...] optionally reset or re-weight the profile information to
  /// gradually forget older intervals". 1: nothing is forgotten, as in the paper.
  void reweight(double keep);
  /// By site, which is the same order in every run.
  std::vector<SiteState> sites(const PagePlacement& placement, Bytes page) const;
  std::size_t objects() const { return objects_.size(); }

 private:
  struct Known {
    Bytes bytes;
    SiteId site;
  };
  std::map<std::uintptr_t, Known> objects_;  // by address; they do not overlap
  std::map<SiteId, AccessCount> reads_;
};

}  // namespace lbhm::placement
