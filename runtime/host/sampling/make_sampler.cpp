// Which sampler works here: the best one is tried first. Page faults, the last of them, need no more than a plan.
#include <time.h>
#include <array>
#include <memory>
#include <utility>

#include "runtime/host/sampling/hint_sampler.h"
#include "runtime/host/sampling/perf_sampler.h"
#include "runtime/host/sampling/sampler_plan.h"
#include "runtime/host/sampling/samplers.h"

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
                      "accesses; the processor offers no samples here"},
          .of = SampleOf::pages};
}

}  // namespace lbhm::sampling

namespace lbhm {
namespace {

using sampling::SamplerPlan;

using Made = Result<std::unique_ptr<ThreadSampler>>;
using Plan = Result<SamplerPlan> (*)(const std::string& root, AccessCount period);

/// A sampler whose events the kernel really opens for the calling thread.
Made by_perf(std::string_view name, Plan plan_of, const SamplerOptions& options) {
  auto plan = plan_of(options.root, options.period);
  if (!plan) return std::unexpected(plan.error());
  // Hybrid processors and clusters: the kernel opens events of each of their units on any core.
  const auto opened = sampling::ThreadBuffer::open(*plan);
  if (opened) return std::make_unique<sampling::PerfSampler>(std::move(*plan), options);
  return failure(opened.error().code(), "sampler " + std::string(name) + ": " + opened.error().message());
}

Result<SamplerPlan> plan_faults(const std::string&, AccessCount) { return sampling::plan_page_faults(); }

struct Kind {
  std::string_view name;
  bool harmless;  ///< to every program: only such ones are taken unasked
  Made (*make)(const SamplerOptions& options);
};

/// Best first: PEBS and SPE write samples without an interrupt for each, IBS does not; hint faults see that a page was
/// accessed, not how often, and page faults only its first access. A system call that is handed an armed page fails.
constexpr std::array<Kind, 5> kinds{
    {{"pebs", true, [](const SamplerOptions& options) { return by_perf("pebs", sampling::plan_pebs, options); }},
     {"ibs", true, [](const SamplerOptions& options) { return by_perf("ibs", sampling::plan_ibs, options); }},
     {"spe", true, [](const SamplerOptions& options) { return by_perf("spe", sampling::plan_spe, options); }},
     {"hints", false, sampling::make_hint_sampler},
     {"faults", true, [](const SamplerOptions& options) { return by_perf("faults", plan_faults, options); }}}};

}  // namespace

Result<std::unique_ptr<ThreadSampler>> make_sampler(const SamplerOptions& options, std::string& why) {
  if (options.kind == "none") {
    why = "LBHM_SAMPLER=none: no samples were taken";
    return nullptr;
  }
  bool known = options.kind == "auto";
  std::string reasons;
  for (const Kind& kind : kinds) {
    if (options.kind == "auto" ? !kind.harmless : options.kind != kind.name) continue;
    known = true;
    auto made = kind.make(options);
    if (made) {
      why = reasons;
      return made;
    }
    if (options.kind == kind.name) return std::unexpected(Status(StatusCode::unavailable, made.error().message()));
    reasons += (reasons.empty() ? "" : "; ") + made.error().message();
  }
  if (!known) {
    return failure(
        StatusCode::invalid_argument,
        "LBHM_SAMPLER: '" + options.kind + "' is no sampler; use auto, pebs, ibs, spe, hints, faults or none");
  }
  why = "no sampler works here: " + reasons;
  return nullptr;
}

}  // namespace lbhm
