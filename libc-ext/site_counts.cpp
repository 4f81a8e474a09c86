#include "libc-ext/site_counts.h"

#include <iterator>

namespace lbhm::heap {
namespace {

constinit SiteCount counts[1 << 14]{};

}  // namespace

SiteCount* count_of(std::uint64_t site) {
  for (std::size_t i = 0; site != 0 && i < std::size(counts); ++i) {
    SiteCount& count = counts[(site + i) % std::size(counts)];  // ids of sites are hashes
    std::uint64_t known = count.site.load(std::memory_order_relaxed);
    if (known == 0 && count.site.compare_exchange_strong(known, site, std::memory_order_relaxed)) return &count;
    if (known == site) return &count;
  }
  return nullptr;
}

bool may_have_arenas(SiteCount& count, std::uint64_t bytes, std::uint64_t minimum) {
  if (count.has_minimum.load(std::memory_order_relaxed)) return true;
  if (count.asked.fetch_add(bytes, std::memory_order_relaxed) + bytes < minimum) return false;
  count.has_minimum.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace lbhm::heap
