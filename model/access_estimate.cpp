// How many accesses to expect for objects of another size: section 4 of the paper, Eq. 1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/bounded.h"
#include "model/model.h"
#include "model/page_counts.h"

namespace lbhm {
namespace {

/// How the pages of a base object correspond to those of the new one: both are cut into the same number of runs of
/// equal length. There are never more runs than pages in either object, so no run is empty, and the runs cover every
/// page of both objects exactly once.
struct Runs {
  std::uint64_t base_pages;
  std::uint64_t new_pages;
  std::uint64_t count;

  /// First page of run k is ceil(k * pages / count), which is where of() changes from k - 1 to k.
  std::uint64_t first(std::uint64_t k) const { return (k * new_pages + count - 1) / count; }
  /// Run of a base page. A page past the end belongs to an object that does not begin on a page.
  std::uint64_t of(PageIndex page) const { return std::min(page.value, base_pages - 1) * count / base_pages; }
  /// First base page behind run k.
  PageIndex base_end(std::uint64_t k) const {
    return k + 1 < count ? PageIndex(((k + 1) * base_pages + count - 1) / count)
                         : PageIndex(std::numeric_limits<std::uint64_t>::max());
  }
};

std::uint64_t pages_of(Bytes bytes, Bytes page) {
  return page.value == 0 ? 0 : bytes.value / page.value + (bytes.value % page.value != 0);
}

/// Appends the extents of one object. `pages` are the counts of this object only, sorted.
void append_extents(std::span<const PageCount> pages, const Runs& runs, double growth,
                    std::vector<ExtentEstimate>& out) {
  for (std::size_t i = 0; i < pages.size();) {
    const std::uint64_t run = runs.of(pages[i].page);
    const PageIndex end = runs.base_end(run);  // two divisions a run, not one a page: there are many pages
    double sum = 0;
    for (; i < pages.size() && pages[i].page < end; ++i) sum += model::amount(pages[i].count.value);
    const double expected = model::amount(sum * growth);
    if (expected == 0) continue;
    const std::uint64_t first = runs.first(run);
    out.push_back({pages[i - 1].slot, PageIndex(first), runs.first(run + 1) - first, AccessCount(expected)});
  }
}

}  // namespace

AccessCount estimated_accesses(AccessCount profiled, Bytes base, Bytes now, double alpha) {
  if (base.value == 0) return AccessCount(0);
  // Eq. 1: esti_mem_acc = S_new / (S_base * alpha) * prof_mem_acc
  return AccessCount(model::amount(now / base / model::factor(alpha) * model::amount(profiled.value)));
}

AccessEstimate estimate_accesses(const TaskProfile& profile, std::span<const Bytes> base, std::span<const Bytes> now,
                                 std::span<const double> alpha, Bytes page, std::uint64_t extents_per_object) {
  AccessEstimate estimate;
  estimate.lane = profile.lane;
  const std::span<const PageCount> counts = profile.pages;
  for (std::size_t begin = 0, end = 0; begin < counts.size(); begin = end) {
    const std::size_t slot = counts[begin].slot.value;
    end = model::slot_end(counts, begin);
    if (slot >= base.size() || slot >= now.size()) continue;
    const std::uint64_t old_pages = pages_of(base[slot], page), new_pages = pages_of(now[slot], page);
    const Runs runs{old_pages, new_pages, std::min({extents_per_object, old_pages, new_pages})};
    if (runs.count == 0) continue;
    const double a = slot < alpha.size() ? alpha[slot] : 1;
    const double growth = estimated_accesses(AccessCount(1), base[slot], now[slot], a).value;
    append_extents(counts.subspan(begin, end - begin), runs, growth, estimate.extents);
  }
  for (const ExtentEstimate& extent : estimate.extents) estimate.total += extent.count;
  return estimate;
}

}  // namespace lbhm
