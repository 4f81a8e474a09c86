#include "runtime/host/sampling/sampler_plan.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "runtime/host/sampling/event_source.h"
#include "runtime/host/sampling/perf_record.h"

namespace lbhm::sampling {
namespace {

/// An interrupt for each sample, unlike PEBS. An assumption: about 1 us for the interrupt and the seven registers.
constexpr double sample_ns = 1000;
/// The counter counts in steps of 16 and takes no less (arch/x86/events/amd/ibs.c, perf_ibs_op_init).
constexpr std::uint64_t least_period = 0x90;

// Bits of IbsOpData3 (Processor Programming Reference of family 19h, as in arch/x86/include/asm/amd-ibs.h).
constexpr std::uint64_t load_bit = 1u << 0, store_bit = 1u << 1, miss_bit = 1u << 7, uncached_bit = 1u << 14;
constexpr std::uint64_t address_bit = 1u << 17;
constexpr unsigned latency_shift = 32;
constexpr std::uint64_t latency_mask = 0xffff;
// Data sources in IbsOpData2 that are main memory; the last two since Zen 4: memory of long latency, extension memory.
constexpr unsigned source_dram = 3, source_long_latency = 6, source_extension = 8;

/// Bits 0 to 2, and since Zen 4 two more at 6 and 7; zero before.
unsigned source_of(std::uint64_t data2) { return static_cast<unsigned>((data2 & 7) | (data2 >> 6 & 3) << 3); }

bool from_memory(unsigned source) {
  return source == source_dram || source == source_long_latency || source == source_extension;
}

std::optional<RawSample> read(const PerfSample& sample) {
  auto found = read_ibs_registers(sample.raw);
  if (found) found->time = sample.time;
  return found;
}

}  // namespace

std::optional<RawSample> read_ibs_registers(std::span<const std::byte> raw) {
  ByteReader in(raw);
  in.take<std::uint32_t>();  // capabilities
  in.take<std::uint64_t>();  // IbsOpCtl
  in.take<std::uint64_t>();  // IbsOpRip
  in.take<std::uint64_t>();  // IbsOpData
  const auto data2 = in.take<std::uint64_t>();
  const auto data3 = in.take<std::uint64_t>();
  const auto address = in.take<std::uint64_t>();
  if (in.short_of()) return std::nullopt;
  const bool load = data3 & load_bit;
  const bool store = data3 & store_bit;
  if (!(load || store) || !(data3 & address_bit) || !(data3 & miss_bit) || (data3 & uncached_bit)) return std::nullopt;
  // The source is known of loads only. Stores that missed the first cache are kept.
  if (load && !from_memory(source_of(data2))) return std::nullopt;
  return RawSample{.address = address, .cycles = load ? data3 >> latency_shift & latency_mask : 0, .write = store};
}

Result<SamplerPlan> plan_ibs(const std::string& root, AccessCount period) {
  const auto unit = EventSource::find(root, "ibs_op");
  if (!unit) {
    return failure(StatusCode::unavailable,
                   "sampler ibs: no /sys/bus/event_source/devices/ibs_op; it needs an AMD processor whose IBS the "
                   "hypervisor, if there is one, passes on");
  }
  SampledEvent event{.clock = SampledEvent::Clock::monotonic, .read = read};
  event.spec.attr = common_attributes(unit->type(), 0, PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW);
  event.spec.attr.use_clockid = 1;
  event.spec.attr.clockid = CLOCK_MONOTONIC;
  // Where the kernel has no filter for it the unit refuses exclude_kernel; samples of the kernel have no address of
  // ours.
  event.spec.attr.exclude_kernel = unit->has_field("swfilt") ? 1 : 0;
  event.spec.attr.exclude_hv = 0;
  std::string terms = "cnt_ctl=1";  // operations, not cycles
  if (unit->has_field("swfilt")) terms += ",swfilt=1";
  if (unit->has_field("l3missonly")) terms += ",l3missonly=1";  // no interrupt for what a cache served
  if (Status status = unit->apply(terms, event.spec.attr); !status.ok()) return std::unexpected(std::move(status));
  const auto operations = std::max(least_period, static_cast<std::uint64_t>(std::ceil(period.value)));
  return SamplerPlan{
      .name = "IBS", .events = {event}, .nanoseconds_per_sample = sample_ns, .period = operations & ~std::uint64_t{15}};
}

}  // namespace lbhm::sampling
