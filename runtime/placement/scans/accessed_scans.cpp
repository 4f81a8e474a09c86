
#include "runtime/placement/scans/accessed_scans.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lbhm::placement {
namespace {

double sum(const std::vector<std::size_t>& counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
}

/// Fast pages that are wanting (above 0) or too many.
double wanting(const ReferenceHistogram& pages, double fast_share) {
  const double fast = sum(pages.fast);
  return std::floor((fast + sum(pages.slow)) * fast_share) - fast;
}

struct Amounts {
  std::size_t promote = 0;
  std::size_t demote = 0;
};

/// Half of the limit in each direction, more in the one that is wanting. As few go down as go up, unless fast memory
/// holds too much.
Amounts amounts_of(const ReferenceHistogram& pages, double missing, double limit) {
  const double delta = std::clamp(missing, -limit + limit / 8, limit - limit / 8);
  const double up = (limit + delta) / 2;
  const double down = (limit - delta) / 2;
  const double hot = sum(pages.slow) - static_cast<double>(pages.slow.front());
  const double promote = std::min(up, hot);
  const double demote = delta < 0 ? down : promote * down / up;
  return {.promote = static_cast<std::size_t>(promote), .demote = static_cast<std::size_t>(demote)};
}

/// Keeps hot and cold apart, so that no page goes up and down by turns.
void keep_apart(ReferenceThresholds& thresholds, const ReferenceHistogram& pages, const PeriodLimits& limits) {
  const auto scans = static_cast<std::ptrdiff_t>(pages.scans());
  const auto gap = static_cast<std::ptrdiff_t>(limits.anti_thrash);
  if (thresholds.cold < 0 || thresholds.hot > scans || thresholds.hot - thresholds.cold >= gap) return;
  if (thresholds.hot == scans) {
    thresholds.cold = std::max<std::ptrdiff_t>(thresholds.hot - gap, 0);
    thresholds.cold_rest = pages.fast[static_cast<std::size_t>(thresholds.cold)];
  } else {
    thresholds.hot = std::min(thresholds.cold + gap, scans);
    thresholds.hot_rest = pages.slow[static_cast<std::size_t>(thresholds.hot)];
  }
  if (thresholds.hot - thresholds.cold < gap) thresholds = {.hot = scans + 1};
}

}  // namespace

ReferenceThresholds thresholds_of(const ReferenceHistogram& pages, const PeriodLimits& limits) {
  const double missing = wanting(pages, limits.fast_share);
  auto [promote, demote] = amounts_of(pages, missing, static_cast<double>(limits.migration));
  const std::size_t scans = pages.scans();
  ReferenceThresholds thresholds{.hot = static_cast<std::ptrdiff_t>(scans) + 1};
  for (std::size_t i = 0; i < scans; ++i) {
    const std::size_t hot = scans - i;
    if (promote > 0 && pages.slow[hot] > 0) {
      thresholds.hot = static_cast<std::ptrdiff_t>(hot);
      thresholds.hot_rest = std::min(pages.slow[hot], promote);
      promote -= thresholds.hot_rest;
    }
    if (demote > 0 && pages.fast[i] > 0) {
      thresholds.cold = static_cast<std::ptrdiff_t>(i);
      thresholds.cold_rest = std::min(pages.fast[i], demote);
      demote -= thresholds.cold_rest;
    }
  }
  // While the share is not yet right to the percent, pages move in any case.
  if (std::abs(missing) * 100 < sum(pages.fast) + sum(pages.slow)) keep_apart(thresholds, pages, limits);
  return thresholds;
}

}  // namespace lbhm::placement
