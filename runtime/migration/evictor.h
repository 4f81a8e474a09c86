// Room in a full tier.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/migration/migration.h"
#include "runtime/migration/page_units.h"

namespace lbhm::migration {

/// Puts the least used pages out of a tier. It walks once over the candidates of each tier, coldest first, and looks
/// at no more pages than it needs.
class Evictor {
 public:
  Evictor(Machine& machine, const MigrationPlan& plan, std::vector<EvictionCandidate> candidates,
          const MigrationOptions& options, Units& units);

  /// Moves so many pages, if there are as many, out of `from` into slower tiers with room, the next slower one first;
  /// more only to the end of a huge page. Adds what it moved to the report and returns how many pages that were.
  std::uint64_t make_room(TierId from, std::uint64_t pages, MoveReport& report);
  bool in_plan(std::uintptr_t page) const { return in_plan({.first = page, .pages = 1}); }

 private:
  /// How far the walk for one tier has come.
  struct Walk {
    std::size_t candidate = 0;
    std::uint64_t page = 0;                   ///< within the candidate
    std::vector<std::uintptr_t> ready;        ///< pages that are in the tier and may leave it
    std::size_t used = 0;                     ///< of `ready`
    std::unordered_set<std::uintptr_t> huge;  ///< pages of several candidates come once
  };

  /// True if the plan names a page of the unit.
  bool in_plan(const MoveUnit& unit) const;
  bool room_below(TierId from);
  bool allowed(TierId tier) const;
  /// Finds more pages for walk.ready; false if there are none left.
  bool refill(Walk& walk, TierId from);
  /// Up to batch_pages_ pages outside the plan from where the walk stands; empty at its end.
  std::vector<std::uintptr_t> advance(Walk& walk);
  void sort_candidates();
  std::uint64_t evict(std::vector<std::uintptr_t> pages, TierId from);

  Machine& machine_;
  std::uint64_t page_;
  std::size_t batch_pages_;
  std::span<const TierId> tiers_;  ///< that pages may leave for; empty: all
  Units& units_;
  const std::function<void(std::span<const std::uintptr_t>)>* asked_;
  bool sorted_ = false;
  std::vector<EvictionCandidate> candidates_;                    ///< coldest first, once sorted_
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> plan_;  ///< [begin, end), sorted, not overlapping
  std::vector<Walk> walks_;                                      ///< by tier
};

}  // namespace lbhm::migration
