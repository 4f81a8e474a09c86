// AMD's instruction-based sampling of operations.
#pragma once

#include <string>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/sampling/sampler_plan.h"

namespace lbhm::sampling {

/// Every `period`-th operation is tagged; those that access main memory stand for as many such accesses.
/// Errors: unavailable.
Result<SamplerPlan> plan_ibs(const std::string& root, AccessCount period);

/// What one tagged operation did, from PERF_SAMPLE_RAW: the registers that the processor filled (AMD64 Architecture
/// Programmer's Manual, volume 2, 13.3.3; the order is that of arch/x86/events/amd/ibs.c). Nothing: no access to main
/// memory with an address, or too short.
std::optional<RawSample> read_ibs_registers(std::span<const std::byte> raw);

}  // namespace lbhm::sampling
