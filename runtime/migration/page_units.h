// Pages that move together, each alone or all of a huge page, and how much huge pages are used.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/machine/machine.h"
#include "runtime/migration/migration.h"

namespace lbhm::migration {

// Pages that move together: each alone, or all of a huge page.

struct MoveUnit {
  std::uintptr_t first = 0;  ///< address
  std::uint64_t pages = 0;
};

/// For one plan. Asks the machine once for each block that may be a huge page, and never where there are none.
class Units {
 public:
  Units(Machine& machine, const MigrationPlan& plan);

  /// What moves when this page does.
  MoveUnit of(std::uintptr_t page) { return all_single() ? MoveUnit{page, 1} : unit_of(page); }
  /// The same for a page that the plan wants in `to`, but nothing (no pages) if the unit was taken before, or if the
  /// plan wants another page of it in a faster tier: who waits for that page loses more than the others gain.
  MoveUnit take(std::uintptr_t page, TierId to) { return all_single() ? MoveUnit{page, 1} : take_unit(page, to); }

  /// Behind the pages from pages[first] on that belong to one unit.
  std::size_t end(std::span<const std::uintptr_t> pages, std::size_t first) {
    return all_single() ? first + 1 : unit_end(pages, first);
  }
  /// How many of the pages are the fewest whole units of `wanted` pages or more; all of them if there are fewer.
  std::size_t least(std::span<const std::uintptr_t> pages, std::size_t wanted);
  /// How many of the pages are the most whole units of `limit` pages or fewer.
  std::size_t most(std::span<const std::uintptr_t> pages, std::size_t limit);

  /// What a unit may have at most.
  Bytes block() const { return Bytes(block_); }
  Bytes page() const { return Bytes(page_); }
  bool all_single() const { return block_ <= page_; }

 private:
  void note_fastest(const MigrationPlan& plan);
  bool whole(std::uintptr_t block);
  // Where there are huge pages:
  MoveUnit unit_of(std::uintptr_t page);
  MoveUnit take_unit(std::uintptr_t page, TierId to);
  std::size_t unit_end(std::span<const std::uintptr_t> pages, std::size_t first);

  Machine& machine_;
  std::uint64_t page_, block_;
  std::unordered_map<std::uintptr_t, bool> whole_;  ///< by block, as far as asked
  /// Of those that the plan wants pages of a block in; empty: it wants one tier only.
  std::unordered_map<std::uintptr_t, TierId> fastest_;
  std::unordered_set<std::uintptr_t> taken_;
};

// How much huge pages are used.

/// Where several candidates, or one of them and other memory, share a huge page, it becomes a candidate of its own with
/// the mean of all its pages: one cold page must not put out the hot ones around it. Other memory counts as unused.
std::vector<EvictionCandidate> by_unit(const std::vector<EvictionCandidate>& candidates, Units& units);

}  // namespace lbhm::migration
