// Plans that did harm: the way back to the pages with which a phase was fastest.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Of instances of a phase that follow each other with the same objects and as many accesses. A plan follows
/// predictions; where those are wrong, for the queues before slow memory are none of a task's own, it makes the phase
/// slower, again and again. The best instance is one in which hardly a page moved: the time of another one is that of
/// no pages in particular.
class BestLayout {
 public:
  /// After instances that took so much longer than the best one the next goes back to its pages: more than times differ
  /// by chance. So many of them, one after the other: during the first one the plan was carried out, and its copies
  /// take time, too. Then the pages stay, until as many take much longer: the program does something else. Assumptions.
  static constexpr double much_longer = 1.05, another = 1.25;
  static constexpr int longer_instances = 2;
  /// Moves of so small a part of fast memory leave the time of an instance as it is. An assumption.
  static constexpr double settled_part = 1.0 / 20;

  struct Pages {
    std::vector<std::uintptr_t> objects;         ///< their addresses
    std::optional<std::vector<PageRange>> fast;  ///< pages in fast memory; nothing: not known yet
  };

  /// What an instance was like, in the end.
  struct Ended {
    Nanoseconds time;
    AccessCount accesses;  ///< 0: not counted, or of another phase
    bool settled = false;  ///< no more than settled_part moved while it ran
  };

  /// An instance begins with these pages, after another one. True: it is to have the best one's pages.
  bool begins(Pages now, const Ended& before);
  /// Whether those of the instance under way are still to be told.
  bool wants_pages() const { return !last_.fast; }
  void pages_are(std::vector<PageRange> fast) { last_.fast = std::move(fast); }
  /// Pages of the best instance so far.
  std::span<const PageRange> fast() const {
    return best_.pages.fast ? std::span<const PageRange>(*best_.pages.fast) : std::span<const PageRange>();
  }
  /// Moves from where pages are to fast().
  MigrationPlan back(const PhaseForecast& now) const;

 private:
  struct Instance {
    Pages pages;  ///< as it began
    Ended ended;
  };
  bool judge(const Instance& last);

  Instance best_;
  Pages last_;
  bool staying_ = false;
  int longer_ = 0;  ///< instances, one after the other, that took much longer
};

}  // namespace lbhm::placement
