// What kswapd does on machines of several memories (Linux 5.18 and later: demotion instead of reclaim): the program's
// pages with the lists of each node, and inactive pages that go to the next one. Used by the policies tpp, alto and
// pact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/linux_lists.h"

namespace lbhm::placement {

class LinuxReclaim {
 public:
  using Pages = TwoLists::Pages;

  Pages& pages() { return pages_; }

  /// Looks where the pages are and takes new ones on.
  void look(PolicyContext& context);
  /// The same if ranges of pages have come or gone.
  void follow(PolicyContext& context);

  /// On each node but the slowest inactive pages go to the next one until this share of it is free, the lower nodes
  /// first.
  void keep_free(PolicyContext& context, double share);
  /// So many inactive pages of a node go to the next one. Returns how many did.
  std::size_t demote(PolicyContext& context, TierId from, std::size_t wanted);
  /// Moves pages, and keeps the lists right. Pages that leave for a slower node are inactive there.
  void move(PolicyContext& context, const std::vector<std::uintptr_t>& addresses, TierId to);

 private:
  std::vector<PageRange> ranges_;  // of all pages
  Pages pages_;
  std::vector<TwoLists> lists_;  // by tier, but for the slowest
};

}  // namespace lbhm::placement
