// The active and the inactive list of the fastest tier's pages, as Linux keeps them for anonymous memory, and which
// pages leave first. mm/vmscan.c: shrink_active_list, inactive_is_low, page_check_references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/placement/managed_pages.h"

namespace lbhm::placement {

/// What Linux remembers of a page.
struct ListedPage {
  bool active = false;      ///< PG_active: on the active list
  bool referenced = false;  ///< PG_referenced: was found accessed once already
  bool listed = false;      ///< is in one of the lists below
};

class TwoLists {
 public:
  using Pages = ManagedPages<ListedPage>;

  /// Takes on the pages of `tier` that are not listed yet, as the youngest of the list that they belong to.
  void take_on(Pages& pages, TierId tier);
  void take_on(Pages::Page& page);

  /// Up to `wanted` pages of `tier` that nobody accessed since they were looked at last, the oldest first; they are
  /// listed no more. Every page is looked at once at most. A page found accessed stays, and is active from the second
  /// time on. `ratio`: active pages for each inactive one; more of them become inactive.
  std::vector<std::uintptr_t> coldest(Machine& machine, Pages& pages, TierId tier, std::size_t wanted, double ratio);

 private:
  std::vector<Pages::Page*> oldest(std::deque<std::uintptr_t>& list, Pages& pages, TierId tier, bool active,
                                   std::size_t wanted);
  void deactivate_some(Machine& machine, Pages& pages, TierId tier);

  std::deque<std::uintptr_t> active_;    // the oldest first; may name pages that are gone
  std::deque<std::uintptr_t> inactive_;  // likewise
};

/// inactive_is_low: how many active pages there may be for an inactive one, in a memory of so many bytes.
double active_to_inactive(Bytes memory);

}  // namespace lbhm::placement
