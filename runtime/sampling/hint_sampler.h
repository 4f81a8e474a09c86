// Samples without counters: pages of managed memory that fault when somebody touches them.
#pragma once

#include <memory>

#include "runtime/sampling/samplers.h"

namespace lbhm::sampling {

/// Arms managed pages at the beginning of each parallel region, those that were touched again at intervals within it,
/// and disarms all at its end. Each hint fault is a sample: address of the page, lane, time, load or store.
///
/// What a sample stands for: a fault says that the page was accessed at least once while it was armed, not how often.
/// It counts as one walk over the page, an access to each of its 64 lines, which is right for a loop that streams
/// through memory once in that time; too much for single accesses to a page, too little for pages that are reused
/// meanwhile (both are assumptions of the sampler, not of the processor). Where not all pages could be watched, each
/// counts for those that were not: period() = lines of a page * pages there were / pages that were armed, summed over
/// all regions.
///
/// Costs: the faults of all threads at most most_faulting of the processors' time (fault_budget.h), arming and
/// disarming at most that share of one thread's. Errors: unavailable (nobody tells which memory is managed).
Result<std::unique_ptr<ThreadSampler>> make_hint_sampler(const SamplerOptions& options);

}  // namespace lbhm::sampling
