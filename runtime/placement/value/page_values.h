// What pages are worth in fast memory: samples in, and what the next ones will say of each page out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/value/by_page.h"
#include "runtime/placement/value/evidence.h"

namespace lbhm::placement {

/// The expected worth of a page over the next time is a line: a part of the mean of its object, and a part of how far
/// the page is from it. Both parts are learnt while the program runs, from what came of evidence like that over just
/// such a time. What samples say by chance does not come again, so the slope holds shrinkage and persistence at
/// once; of a stream, whose pages are not used again soon, it is nought or less.
///
/// Pages that were not sampled have no evidence, and are a number. Sums over the pages of an object (EvidenceSums)
/// change by what a sample changes at its page, and fade as wholes: a sample costs O(log pages), a look O(objects x
/// their lanes + pages with evidence).
///
/// Worth is in nanoseconds of the program's end, rates are worth a nanosecond.
class PageValues {
 public:
  /// The pages of an object, or those that belong to none.
  struct Extent {
    std::uintptr_t address = 0;  ///< 0: of no object
    Bytes bytes;                 ///< whole pages
    SiteId site{};
    std::uint64_t pages = 0;       ///< that are in a tier
    std::uint64_t fast_pages = 0;  ///< in tier 0, of an object
  };

  /// What a page of an extent is expected to be worth a nanosecond, if its lanes work as much as they did. `seen`:
  /// nothing of pages that were not sampled.
  struct Expected {
    double level = 0;
    Evidence slope{};  ///< over the scale of evidence
    double mean = 0;   ///< of its pages
    double use = 1;    ///< part of the horizon in which the lanes work that use the extent
    double rate(const Evidence& seen) const { return std::max(0.0, level + dot(slope, seen)); }
  };
  /// The part of the horizon in which lanes will work that wait now. Lanes that are not in it work as they did.
  using Uses = std::map<LaneId, double>;

  /// Which extents there are, by address, the one of no object first. Before add(), not between it and look().
  void follow(std::span<const Extent> extents);
  /// A sample of the page by the lane is worth so much. `since`: the look before which the page appeared.
  void add(std::uintptr_t page, double worth, std::uint64_t since, LaneId lane = LaneId(0));
  /// So many pages of the site appeared before this look.
  void born(SiteId site, std::uint64_t pages) { births_[site].now += static_cast<double>(pages); }
  /// A sample of such a page: who touches a page first says nothing of its later use.
  void add_birth(SiteId site, double worth) { births_[site].worth += worth; }
  /// So much time passed since the last look. What is expected is to hold for `horizon`. Pages of which less is known
  /// than `least` worth are forgotten. `uses`: of lanes that wait.
  void look(Nanoseconds elapsed, Nanoseconds horizon, double least, const Uses& uses = {});

  /// Looks so far, and the one at which the window began whose end will show what came.
  std::uint64_t looks() const { return looks_; }
  std::uint64_t window() const { return begun_; }
  const Expected& expected(std::uintptr_t page) const { return at(page).expected; }
  /// The expected worth a nanosecond over the horizon of pages of the same extent that were not sampled.
  double rate_of_unseen(std::uintptr_t page) const { return expected(page).rate({}) * expected(page).use; }
  /// Pages that will appear until the next look and will be worth more than that over the horizon.
  double births(double more) const;
  SiteId site_of(std::uintptr_t page) const { return at(page).extent.site; }
  /// The address of the object that has this page; 0: none.
  std::uintptr_t object_of(std::uintptr_t page) const { return at(page).extent.address; }
  /// Where the object of this page ends, or the next one begins.
  std::uintptr_t border_behind(std::uintptr_t page) const;
  /// The pages with evidence in [begin, end), all of one object, by address: visit(page, expected worth a nanosecond).
  template <class Visit>
  void visit_seen(std::uintptr_t begin, std::uintptr_t end, Visit visit) const {
    const Expected& expected = this->expected(begin);
    seen_.visit(begin, end, [&](std::uintptr_t address, const Page& page) {
      visit(address, expected.rate(page.seen) * (page.shared ? expected.use : use_of(page.lane)));
    });
  }

 private:
  struct Page {
    Evidence seen{};  ///< scaled
    double now = 0;   ///< since the last look
    std::uint64_t since = 0;
    LaneId lane{0};
    bool shared = false;       ///< by other lanes, too
    bool known = false;        ///< it is in the sums
    std::uint64_t window = 0;  ///< that the next two are of
    Evidence before{};         ///< when it began
    double came = 0;           ///< since then
  };
  struct Object {
    Extent extent;
    Evidence base{};          ///< scaled: what is taken to be known of each of its pages, from others of its site
    std::uint64_t known = 0;  ///< pages with evidence: more than `extent.pages` where some went back to the system
    std::map<LaneId, double> lanes;  ///< evidence by lane, scaled as the second scale is
    EvidenceSums seen;               ///< of its pages with evidence, scaled
    EvidenceSums window;             ///< its pages and their evidence when the window began; what came since then
    Evidence window_base{};
    EvidenceSums shown;  ///< by the ends of windows, of its pages about their mean
    Expected expected;
  };
  struct Birth {
    double pages = 0, worth = 0;  ///< that appeared, and what was sampled of them in their first look; faded
    double now = 0;               ///< pages before this look
    double rate = 0;              ///< pages a look
    double level = 0;             ///< what older ones are expected to be worth, a nanosecond
  };

  const Object& at(std::uintptr_t page) const;
  Object& at(std::uintptr_t page) { return const_cast<Object&>(std::as_const(*this).at(page)); }
  Evidence unscaled(const Evidence& seen) const;
  double use_of(LaneId lane) const { return lane.value < uses_.size() ? uses_[lane.value] : 1; }
  double use_of(const Object& object) const;
  static double pages_of(const Object& object);
  Evidence mean_of(const Object& object) const;
  void count_in_window(std::uintptr_t address, Page& page);
  void close_window();
  void begin_window();
  void scale(Nanoseconds elapsed);
  void see(Object& object, Page& page, Nanoseconds elapsed);
  void forget(double least);
  void expect();
  void fade_births(Nanoseconds elapsed);

  std::map<std::uintptr_t, Object> objects_;  // by address; the first one is none
  ByPage<Page> seen_;
  std::vector<std::pair<std::uintptr_t, Page*>> now_;  // sampled since the last look
  std::map<SiteId, Evidence> usual_;                   // mean evidence of a site's last object, unscaled
  std::map<SiteId, Birth> births_;
  std::map<SiteId, EvidenceSums> sites_;  // what windows showed of pages about the mean of their object
  EvidenceSums all_, means_;              // the same of all sites; of the means of objects
  std::vector<double> uses_;              // by lane
  std::array<Nanoseconds, scales> times_{};
  Evidence scale_{1, 1, 1};         // evidence fades: what is kept is as large as it is now, times this
  Evidence window_scale_{1, 1, 1};  // when the window began
  Nanoseconds held_;                // since then
  std::uint64_t looks_ = 0, begun_ = 0, windows_ = 0;
};

}  // namespace lbhm::placement
