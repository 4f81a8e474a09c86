// Which sampler works here: the best one is tried first.
#include <array>
#include <memory>
#include <utility>

#include "lbhm/samplers.h"
#include "runtime/sampling/ibs.h"
#include "runtime/sampling/page_faults.h"
#include "runtime/sampling/pebs.h"
#include "runtime/sampling/perf_sampler.h"
#include "runtime/sampling/spe.h"

namespace lbhm {
namespace {

using sampling::SamplerPlan;

struct Kind {
  std::string_view name;
  Result<SamplerPlan> (*plan)(const std::string& root, AccessCount period);
};

Result<SamplerPlan> plan_faults(const std::string&, AccessCount) { return sampling::plan_page_faults(); }

/// Best first: PEBS and SPE write samples without an interrupt for each, IBS does not; faults are no accesses.
constexpr std::array<Kind, 4> kinds{
    {{"pebs", sampling::plan_pebs}, {"ibs", sampling::plan_ibs}, {"spe", sampling::plan_spe}, {"faults", plan_faults}}};

/// A plan whose events the kernel really opens for the calling thread.
Result<SamplerPlan> working_plan(const Kind& kind, const SamplerOptions& options) {
  auto plan = kind.plan(options.root, options.period);
  if (!plan) return plan;
  // Hybrid processors and clusters: the kernel opens events of each of their units on any core.
  const auto opened = sampling::ThreadBuffer::open(*plan);
  if (opened) return plan;
  return failure(opened.error().code(), "sampler " + std::string(kind.name) + ": " + opened.error().message());
}

}  // namespace

Result<std::unique_ptr<ThreadSampler>> make_sampler(const SamplerOptions& options, std::string& why) {
  if (options.kind == "none") {
    why = "LBHM_SAMPLER=none: no samples were taken";
    return nullptr;
  }
  bool known = options.kind == "auto";
  std::string reasons;
  for (const Kind& kind : kinds) {
    if (options.kind != "auto" && options.kind != kind.name) continue;
    known = true;
    auto plan = working_plan(kind, options);
    if (plan) {
      why = reasons;
      return std::make_unique<sampling::PerfSampler>(std::move(*plan), options);
    }
    if (options.kind == kind.name) return std::unexpected(Status(StatusCode::unavailable, plan.error().message()));
    reasons += (reasons.empty() ? "" : "; ") + plan.error().message();
  }
  if (!known) {
    return failure(StatusCode::invalid_argument,
                   "LBHM_SAMPLER: '" + options.kind + "' is no sampler; use auto, pebs, ibs, spe, faults or none");
  }
  why = "no sampler works here: " + reasons;
  return nullptr;
}

}  // namespace lbhm
