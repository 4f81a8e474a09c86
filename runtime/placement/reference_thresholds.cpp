#include "runtime/placement/reference_thresholds.h"

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
  double promote = 0;
  double demote = 0;
};

/// Pages that are hot enough to be promoted at all.
double available_hot(const ReferenceHistogram& pages, bool slow_has_too_many, double wanted) {
  if (!slow_has_too_many) return static_cast<double>(pages.slow.back());
  return std::min(wanted, sum(pages.slow) - static_cast<double>(pages.slow.front()));
}

Amounts amounts_of(const ReferenceHistogram& pages, const PeriodLimits& limits) {
  const double missing = wanting(pages, limits.fast_share);
  const bool slow_has_too_many = missing > 0 && out_of_balance(pages, limits);
  const double usual = static_cast<double>(limits.migration);
  const double limit = slow_has_too_many ? std::max(usual, missing / 8) : usual;
  const double delta = std::clamp(missing, -limit + limit / 8, limit - limit / 8);
  const Amounts wanted{.promote = (limit + delta) / 2, .demote = (limit - delta) / 2};
  const double ratio = wanted.demote / wanted.promote;

  Amounts amounts;
  amounts.promote = std::min(available_hot(pages, slow_has_too_many, wanted.promote), limit);
  amounts.demote = std::min(amounts.promote * ratio, limit);
  if (amounts.promote * ratio > limit) amounts.promote = amounts.demote / ratio;
  if (ratio > 1) {
    const double cold = sum(pages.fast) - static_cast<double>(pages.fast.back());
    if (amounts.demote < 1) {
      amounts.demote = wanted.demote;
    } else if (cold < amounts.demote) {
      amounts = {.promote = cold / ratio, .demote = cold};
    }
  }
  return amounts;
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

bool out_of_balance(const ReferenceHistogram& pages, const PeriodLimits& limits) {
  return std::abs(wanting(pages, limits.fast_share)) > static_cast<double>(limits.slack);
}

ReferenceThresholds thresholds_of(const ReferenceHistogram& pages, const PeriodLimits& limits) {
  const Amounts amounts = amounts_of(pages, limits);
  auto promote = static_cast<std::size_t>(amounts.promote);
  auto demote = static_cast<std::size_t>(amounts.demote);
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
  const double missing = wanting(pages, limits.fast_share);
  if (std::abs(missing) * 100 < sum(pages.fast) + sum(pages.slow)) keep_apart(thresholds, pages, limits);
  return thresholds;
}

}  // namespace lbhm::placement
