// Intel's PEBS: loads with latency and source, and stores.
#pragma once

#include <string>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/sampling/sampler_plan.h"

namespace lbhm::sampling {

/// From the events mem-loads and mem-stores of every processor unit that has them (two on hybrid processors).
/// Errors: unavailable.
Result<SamplerPlan> plan_pebs(const std::string& root, AccessCount period);

}  // namespace lbhm::sampling
