// From the base instance of a scope to what its next instance will do: model/ applied to every task.
#pragma once

#include <span>

#include "lbhm/machine.h"
#include "lbhm/model.h"
#include "lbhm/placement.h"
#include "lbhm/sampling.h"
#include "lbhm/values.h"

namespace lbhm::engine {

/// The fastest and the slowest tier.
MemoryPair memory_pair(const Topology& topology);

/// Forecast of the next instance on `objects` with `fast_capacity` bytes of tier 0 for them.
ScopeForecast forecast(const ScopeProfile& profile, std::span<const SlotRange> objects, const Topology& topology,
                       Bytes fast_capacity, const Correlation& f);

}  // namespace lbhm::engine
