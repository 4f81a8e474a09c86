// When moving pays: the break-even algorithm of the ski rental problem, as SICM applies it (Olson et al.: Online
// Application Guidance for Heterogeneous Memory Systems, ACM TACO 2022, section 4.2, Algorithm 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/machine/machine.h"

namespace lbhm::placement {

/// The pages of a site that are in one tier: an entry of the paper's profile, (site, curTier, accs, pages). A site that
/// lies in several tiers has several, and its reads are shared out by pages.
struct SitePart {
  TierId now, recommended;
  AccessCount reads;  ///< so far
  std::uint64_t pages = 0;
};

/// What the paper has two constants for, by tiers.
struct SkiPrices {
  /// Without figures of the machine: "the average read latency of the Optane DC tier is about 300 ns longer than the
  /// DDR4 SDRAM memory tier"; "moving data between tiers [...] requires about 2 us for each 4-KB page".
  static constexpr Nanoseconds extra_read{300}, page_moved{2000};

  std::vector<Nanoseconds> read;                    ///< what a read takes, by tier
  std::vector<std::vector<Nanoseconds>> page_move;  ///< [from][to]
};

/// EXTRA_NS_PER_SLOWER_ACCESS and NS_PER_PAGE_MOVED: what the machine says, where it says something.
SkiPrices ski_prices(const Machine& machine);

struct SkiCosts {
  Nanoseconds rental;    ///< "the expected cost of keeping the current data-tier assignments"
  Nanoseconds purchase;  ///< "the cost of migrating application data to match the [...] recommendations"

  /// "If the cumulative rental cost ever exceeds the purchase cost, the current data-tier recommendations are
  /// enforced."
  bool enforce() const { return rental > purchase; }
};

/// GetSkiCosts. With two tiers: a are the reads of parts that are slow and should be fast, b those of parts that are
/// fast and should be slow, c the pages of both; rental = (a - b) * extra if a > b, purchase = c * price of a page.
/// With more, each part counts what its own move gains or loses, and costs.
SkiCosts ski_costs(std::span<const SitePart> parts, const SkiPrices& prices);

}  // namespace lbhm::placement
