#include "runtime/host/sampling/sampler_plan.h"

#include <algorithm>
#include <cmath>

#include "runtime/host/sampling/event_source.h"
#include "runtime/host/sampling/perf_record.h"

namespace lbhm::sampling {
namespace {

/// A sample costs 200 to 300 ns: Akiyama and Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead for Online
/// System-Noise Analysis", ROSS 2017.
constexpr double sample_ns = 250;
/// Loads that take fewer cycles were served by a cache, and need no sample. An assumption: L3 takes 40 to 75 cycles
/// on these processors, main memory more than 150. The kernel takes numbers from 3 on.
constexpr const char* least_latency = "ldlat=128";
/// "constrained to have no skid", which is what mem-loads is (linux/perf_event.h, precise_ip).
constexpr unsigned no_skid = 2;

constexpr std::uint64_t fields =
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;

std::optional<RawSample> read(const PerfSample& sample) {
  if (sample.address == 0) return std::nullopt;  // the processor could not tell
  // Of stores only the first cache is known: what missed it is kept.
  if (served_by(sample.data_source) == DataSource::cache) return std::nullopt;
  const bool store = is_store(sample.data_source);
  return RawSample{.address = sample.address,
                   .time = sample.time,
                   .cycles = store ? 0 : sample.weight & 0xffffffff,  // upper half: other figures of newer processors
                   .write = store};
}

/// perf's own clock: with another one the processor has to interrupt for each sample instead of each full buffer
/// (arch/x86/events/intel/core.c, intel_pmu_large_pebs_flags).
SampledEvent event_of(const perf_event_attr& attr) {
  SampledEvent event{.clock = SampledEvent::Clock::perf, .read = read};
  event.spec.attr = attr;
  event.spec.attr.precise_ip = no_skid;
  return event;
}

Status add_loads(const EventSource& unit, SamplerPlan& plan) {
  const auto terms = unit.event("mem-loads");
  if (!terms) return {};
  perf_event_attr attr = common_attributes(unit.type(), 0, fields);
  if (Status status = unit.apply(*terms + "," + least_latency, attr); !status.ok()) return status;
  SampledEvent event = event_of(attr);
  // Since Sapphire Rapids the latency event counts only in a group with this one.
  if (const auto auxiliary = unit.event("mem-loads-aux")) {
    perf_event_attr leader = common_attributes(unit.type(), 0, 0);
    leader.sample_period = 0;
    leader.watermark = 0;
    leader.wakeup_watermark = 0;
    if (Status status = unit.apply(*auxiliary, leader); !status.ok()) return status;
    event.spec.leader = leader;
    event.spec.attr.disabled = 0;  // its leader is
  }
  plan.events.push_back(event);
  return {};
}

Status add_stores(const EventSource& unit, SamplerPlan& plan) {
  const auto terms = unit.event("mem-stores");
  if (!terms) return {};
  perf_event_attr attr = common_attributes(unit.type(), 0, fields);
  if (Status status = unit.apply(*terms, attr); !status.ok()) return status;
  plan.events.push_back(event_of(attr));
  return {};
}

}  // namespace

Result<SamplerPlan> plan_pebs(const std::string& root, AccessCount period) {
  SamplerPlan plan{.name = "PEBS",
                   .nanoseconds_per_sample = sample_ns,
                   .period = static_cast<std::uint64_t>(std::max(1.0, std::ceil(period.value)))};
  for (const EventSource& unit : EventSource::all(root, "cpu")) {
    if (Status status = add_loads(unit, plan); !status.ok()) return std::unexpected(std::move(status));
    if (Status status = add_stores(unit, plan); !status.ok()) return std::unexpected(std::move(status));
  }
  if (plan.events.empty()) {
    return failure(
        StatusCode::unavailable,
        "sampler pebs: no event mem-loads in /sys/bus/event_source/devices/cpu*; it needs an Intel processor "
        "whose counters the hypervisor, if there is one, passes on");
  }
  return plan;
}

}  // namespace lbhm::sampling
