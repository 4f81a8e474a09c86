// Part of the door of runtime/pages: where managed pages are.
#pragma once

#include <span>
#include <vector>

#include "runtime/base/values.h"

namespace lbhm {

/// Where managed pages are. By address, not overlapping.
struct PagePlacement {
  std::vector<std::vector<PageRange>> tiers;  ///< by tier
  std::vector<PageRange> untouched{};         ///< in no tier yet: they can appear anywhere without a copy

  std::span<const PageRange> in(TierId tier) const {
    return tier.value < tiers.size() ? std::span<const PageRange>(tiers[tier.value]) : std::span<const PageRange>();
  }
};

}  // namespace lbhm
