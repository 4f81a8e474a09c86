// How much huge pages are used.
#pragma once

#include <span>
#include <vector>

#include "runtime/migration/migration.h"
#include "runtime/migration/units.h"

namespace lbhm::migration {

/// Where several candidates, or one of them and other memory, share a huge page, it becomes a candidate of its own with
/// the mean of all its pages: one cold page must not put out the hot ones around it. Other memory counts as unused.
std::vector<EvictionCandidate> by_unit(const std::vector<EvictionCandidate>& candidates, Units& units);

}  // namespace lbhm::migration
