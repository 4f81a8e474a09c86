
#include "runtime/placement/daemons/linux_lists.h"

#include <cmath>

namespace lbhm::placement {
namespace {

constexpr std::size_t cluster_pages = 32;  // SWAP_CLUSTER_MAX

std::vector<std::uintptr_t> addresses_of(const std::vector<TwoLists::Pages::Page*>& pages) {
  std::vector<std::uintptr_t> addresses;
  addresses.reserve(pages.size());
  for (const auto* page : pages) addresses.push_back(page->address);
  return addresses;
}

}  // namespace

void TwoLists::take_on(Pages::Page& page) {
  if (page.state.listed) return;
  page.state.listed = true;
  (page.state.active ? active_ : inactive_).push_back(page.address);
}

void TwoLists::take_on(Pages& pages, TierId tier) {
  for (Pages::Page& page : pages.all())
    if (page.tier == tier) take_on(page);
}

/// Takes pages from the old end of a list. Names of pages that are gone, or elsewhere by now, are dropped.
std::vector<TwoLists::Pages::Page*> TwoLists::oldest(std::deque<std::uintptr_t>& list, Pages& pages, TierId tier,
                                                     bool active, std::size_t wanted) {
  std::vector<Pages::Page*> taken;
  while (!list.empty() && taken.size() < wanted) {
    Pages::Page* page = pages.find(list.front());
    list.pop_front();
    const bool here = page && page->tier == tier && page->state.listed && page->state.active == active;
    if (!here) continue;
    page->state.listed = false;
    taken.push_back(page);
  }
  return taken;
}

/// Accessed or not, an active anonymous page becomes inactive in its turn; what it was accessed until then is
/// forgotten.
void TwoLists::deactivate_some(Machine& machine, Pages& pages, TierId tier) {
  const std::vector<Pages::Page*> old = oldest(active_, pages, tier, true, cluster_pages);
  const AccessedPages forgotten(machine, addresses_of(old));
  for (Pages::Page* page : old) {
    page->state = {};
    take_on(*page);
  }
}

std::vector<std::uintptr_t> TwoLists::coldest(Machine& machine, Pages& pages, TierId tier, std::size_t wanted,
                                              double ratio) {
  std::vector<std::uintptr_t> cold;
  const std::size_t all = active_.size() + inactive_.size();
  for (std::size_t seen = 0; seen < all && cold.size() < wanted;) {
    if (static_cast<double>(inactive_.size()) * ratio < static_cast<double>(active_.size()))
      deactivate_some(machine, pages, tier);
    const std::vector<Pages::Page*> old = oldest(inactive_, pages, tier, false, cluster_pages);
    if (old.empty() && inactive_.empty()) break;
    const AccessedPages accessed(machine, addresses_of(old));
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!accessed[i] && cold.size() < wanted) {
        cold.push_back(old[i]->address);
        continue;
      }
      old[i]->state.active = accessed[i] && old[i]->state.referenced;
      old[i]->state.referenced = accessed[i];
      take_on(*old[i]);
    }
    seen += std::max<std::size_t>(old.size(), 1);
  }
  return cold;
}

double active_to_inactive(Bytes memory) {
  const double gibibytes = std::floor(memory / GiB(1));
  return gibibytes >= 1 ? std::floor(std::sqrt(10 * gibibytes)) : 1;
}

}  // namespace lbhm::placement
