// Arm's Statistical Profiling Extension.
#pragma once

#include <string>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/sampling/sampler_plan.h"

namespace lbhm::sampling {

/// Every `period`-th operation is followed; those that access main memory stand for as many such accesses. One event
/// for each of the machine's units (clusters of unlike cores have their own). Errors: unavailable.
Result<SamplerPlan> plan_spe(const std::string& root, AccessCount period);

/// Appends the accesses to main memory that are in `bytes`, with times in ticks. Returns how many records could not be
/// understood.
std::uint64_t read_spe(std::span<const std::byte> bytes, std::vector<RawSample>& out);

}  // namespace lbhm::sampling
