// Which managed pages could leave fast memory, and how little they would be missed.
#pragma once

#include <span>
#include <vector>

#include "runtime/migration/migration.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"

namespace lbhm {

/// Managed pages that are in a tier above the slowest, or may appear there: those of the phase with the accesses that
/// all tasks together are expected to make, all others with none. By address.
std::vector<EvictionCandidate> eviction_candidates(const PhaseForecast& forecast);

}  // namespace lbhm
