// A table of fixed size with open addressing: an entry is written once and stays until the process ends.
#include "runtime/objects/known_sites.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

namespace lbhm {
namespace {

/// Twice as many places as entries, so that a search ends soon.
constexpr std::size_t places = 2 * most_known_sites;

struct Table {
  std::array<std::atomic<const KnownSite*>, places> entries{};
  std::atomic<std::size_t> size = 0;
};
constinit Table table;

/// Where the site is, or would be.
std::size_t place_of(SiteId id) noexcept {
  for (std::size_t at = id.value % places;; at = (at + 1) % places) {
    const KnownSite* const entry = table.entries[at].load(std::memory_order_acquire);
    if (!entry || entry->id == id) return at;
  }
}

}  // namespace

bool is_news(SiteId id) noexcept {
  return table.size.load(std::memory_order_relaxed) < most_known_sites &&
         table.entries[place_of(id)].load(std::memory_order_acquire) == nullptr;
}

void remember(KnownSite site) {
  auto entry = std::make_unique<const KnownSite>(std::move(site));
  if (table.size.fetch_add(1, std::memory_order_relaxed) < most_known_sites) {
    for (;;) {
      const KnownSite* found = nullptr;
      if (table.entries[place_of(entry->id)].compare_exchange_strong(found, entry.get(), std::memory_order_acq_rel)) {
        static_cast<void>(entry.release());  // it stays
        return;
      }
      if (found->id == entry->id) break;  // it was there, or another thread was faster
    }
  }
  table.size.fetch_sub(1, std::memory_order_relaxed);
}

std::vector<KnownSite> known_sites() {
  std::vector<KnownSite> found;
  for (const auto& entry : table.entries) {
    if (const KnownSite* const site = entry.load(std::memory_order_acquire)) found.push_back(*site);
  }
  std::ranges::sort(found, {}, &KnownSite::id);
  return found;
}

}  // namespace lbhm
