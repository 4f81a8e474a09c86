// What a plan means for each object.
#pragma once

#include <span>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/migration/migration.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

/// How much of each of `objects` (in their order) the plan brings to `tier`. What it moves elsewhere does not count,
/// nor what lies there already. Objects do not overlap. Cost: O(objects log objects + moves log objects).
std::vector<Bytes> planned_bytes(const MigrationPlan& plan, TierId tier, std::span<const SlotRange> objects);

}  // namespace lbhm
