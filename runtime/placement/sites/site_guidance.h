// From a profile of sites to the tier of each, and to the moves that bring them there (SICM, Olson et al., ACM TACO
// 2022, sections 3.2.1 and 4.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/placement/choose/choose.h"
#include "runtime/placement/sites/site_profile.h"
#include "runtime/placement/sites/ski_rental.h"

namespace lbhm::placement {

/// knapsack, hotset or thermos.
using SiteChooser = choose::Choice (*)(const choose::Problem&);

/// GetTierRecs: the tier of each site. Value: what its reads take longer in slower tiers; weight: its resident pages.
/// `rooms`: for pages of sites, by tier.
std::vector<TierId> recommend(std::span<const SiteState> sites, std::span<const Bytes> rooms, const SkiPrices& prices,
                              Bytes page, SiteChooser chooser);

struct SiteMoves {
  std::vector<SitePart> parts;  ///< that can move
  MigrationPlan plan;           ///< of the same pages
};

/// "[...] any arenas that are mapped to the faster tier and that contain relatively cold program data will first be
/// remapped to the slower tier to make space for the hotter data. Next, arenas with relatively warm program data
/// residing in the slower tier will then be remapped to the faster tier". Only as much leaves, the coldest first, as
/// the recommended sites need: a site that no chooser takes has no reason to leave room that nobody wants. The hottest
/// come first, and only what there is room for, as recommendations may be of more than fits. `free`: bytes, by tier.
SiteMoves moves_to(std::span<const SiteState> sites, std::span<const TierId> recommended, std::vector<Bytes> free,
                   Bytes page);

}  // namespace lbhm::placement
