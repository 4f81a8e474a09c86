#include "runtime/host/sampling/sampler_plan.h"

#include <algorithm>
#include <cmath>

#include "runtime/host/sampling/event_source.h"
#include "runtime/host/sampling/spe_packets.h"

namespace lbhm::sampling {
namespace {

/// The processor writes 64 bytes by itself. An assumption: their share of memory bandwidth and of the interrupts when
/// the buffer is full is below that of PEBS, whose figure this is.
constexpr double sample_ns = 250;
/// Room for 4,000 records; a power of two of pages also where pages have 64 KiB.
constexpr std::size_t buffer_bytes = 256 << 10;

/// The events packet tells it on all processors that know their last cache; the source only where it is Neoverse's.
bool from_memory(const SpeRecord& record) {
  return (record.events & spe_last_level_miss) || (record.has_source && record.source == spe_neoverse_dram);
}

}  // namespace

std::uint64_t read_spe(std::span<const std::byte> bytes, std::vector<RawSample>& out) {
  return parse_spe(bytes, [&](const SpeRecord& record) {
    if (!record.memory_operation || record.address == 0 || !from_memory(record)) return;
    out.push_back({.address = static_cast<std::uintptr_t>(record.address),
                   .time = record.time,
                   .cycles = record.latency,
                   .write = record.store});
  });
}

Result<SamplerPlan> plan_spe(const std::string& root, AccessCount period) {
  SamplerPlan plan{.name = "SPE",
                   .nanoseconds_per_sample = sample_ns,
                   .period = static_cast<std::uint64_t>(std::max(1.0, std::ceil(period.value)))};
  for (const EventSource& unit : EventSource::all(root, "arm_spe")) {
    SampledEvent event{.clock = SampledEvent::Clock::counter, .read_aux = read_spe};
    event.spec.attr = common_attributes(unit.type(), 0, PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
    event.spec.aux_bytes = buffer_bytes;
    const char* const terms = "ts_enable=1,jitter=1,load_filter=1,store_filter=1";
    if (Status status = unit.apply(terms, event.spec.attr); !status.ok()) return std::unexpected(std::move(status));
    plan.events.push_back(event);
  }
  if (plan.events.empty()) {
    return failure(StatusCode::unavailable,
                   "sampler spe: no /sys/bus/event_source/devices/arm_spe_*; it needs an Arm processor with SPE and a "
                   "kernel with CONFIG_ARM_SPE_PMU (and kpti=off where the log asks for it)");
  }
  return plan;
}

}  // namespace lbhm::sampling
