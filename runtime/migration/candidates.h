// Which managed pages could leave fast memory, and how little they would be missed.
#pragma once

#include <span>
#include <vector>

#include "runtime/migration/migration.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"

namespace lbhm {

/// Every migratable managed page range: those of the scope with the accesses that all tasks together are expected to
/// make, all others with none.
std::vector<EvictionCandidate> eviction_candidates(std::span<const Object> managed, const ScopeForecast& forecast);

}  // namespace lbhm
