// Page faults as samples, where the processor takes none: first touches, and hint faults of the kernel's balancing.
#pragma once

#include "runtime/sampling/sampler_plan.h"

namespace lbhm::sampling {

/// The software event page-faults, with address, thread and time. One sample is one fault: the period of accesses that
/// is asked for means nothing here.
SamplerPlan plan_page_faults();

}  // namespace lbhm::sampling
