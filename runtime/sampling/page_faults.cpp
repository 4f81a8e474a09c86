#include "runtime/sampling/page_faults.h"

#include <time.h>

namespace lbhm::sampling {
namespace {

/// Measured by bench/run sampling (docs/sampling.md), reading the ring included.
constexpr double sample_ns = 640;

std::optional<RawSample> read(const PerfSample& sample) {
  // The event does not say whether the access was a store.
  return RawSample{.address = sample.address, .time = sample.time};
}

}  // namespace

SamplerPlan plan_page_faults() {
  SampledEvent event;
  event.spec.attr = common_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
                                      PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
  event.spec.attr.use_clockid = 1;
  event.spec.attr.clockid = CLOCK_MONOTONIC;
  event.read = read;
  return {.name = "page faults",
          .events = {event},
          .nanoseconds_per_sample = sample_ns,
          .remarks = {"samples are page faults: first touches and what the kernel's balancing unmaps, not main-memory "
                      "accesses; the processor offers no samples here"}};
}

}  // namespace lbhm::sampling
