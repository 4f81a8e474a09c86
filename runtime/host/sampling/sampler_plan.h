// What the samplers differ in: the events that they open for each thread, and how a sample of theirs is read. The plans
// of Intel's PEBS (loads with latency and source, and stores), AMD's instruction-based sampling of operations, Arm's
// Statistical Profiling Extension, and page faults where the processor takes no samples: first touches, and hint faults
// of the kernel's balancing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/host/sampling/perf_event.h"
#include "runtime/host/sampling/perf_record.h"
#include "runtime/machine/machine.h"

namespace lbhm::sampling {

/// A sample before anybody has asked for its lane and tier.
struct RawSample {
  std::uintptr_t address = 0;
  std::uint64_t time = 0;    ///< as SampledEvent::clock says
  std::uint64_t cycles = 0;  ///< latency; 0: unknown
  bool write = false;
};

struct SampledEvent {
  enum class Clock : std::uint8_t { monotonic, perf, counter };
  PerfEventSpec spec{};
  Clock clock = Clock::monotonic;
  /// Nothing: no access to main memory.
  std::optional<RawSample> (*read)(const PerfSample& sample) = nullptr;
  /// For events with a second buffer: appends what is in it. Returns how many records could not be understood.
  std::uint64_t (*read_aux)(std::span<const std::byte> bytes, std::vector<RawSample>& out) = nullptr;
};

struct SamplerPlan {
  std::string name;
  std::vector<SampledEvent> events{};
  double nanoseconds_per_sample = 0;  ///< what one costs the thread; the source stands where it is set
  std::uint64_t period = 1;           ///< to begin with
  std::vector<std::string> remarks{};
  SampleOf of = SampleOf::misses;
};

/// From the events mem-loads and mem-stores of every processor unit that has them (two on hybrid processors).
/// Errors: unavailable.
Result<SamplerPlan> plan_pebs(const std::string& root, AccessCount period);

/// Every `period`-th operation is tagged; those that access main memory stand for as many such accesses.
/// Errors: unavailable.
Result<SamplerPlan> plan_ibs(const std::string& root, AccessCount period);

/// What one tagged operation did, from PERF_SAMPLE_RAW: the registers that the processor filled (AMD64 Architecture
/// Programmer's Manual, volume 2, 13.3.3; the order is that of arch/x86/events/amd/ibs.c). Nothing: no access to main
/// memory with an address, or too short.
std::optional<RawSample> read_ibs_registers(std::span<const std::byte> raw);

/// Every `period`-th operation is followed; those that access main memory stand for as many such accesses. One event
/// for each of the machine's units (clusters of unlike cores have their own). Errors: unavailable.
Result<SamplerPlan> plan_spe(const std::string& root, AccessCount period);

/// Appends the accesses to main memory that are in `bytes`, with times in ticks. Returns how many records could not be
/// understood.
std::uint64_t read_spe(std::span<const std::byte> bytes, std::vector<RawSample>& out);

/// The software event page-faults, with address, thread and time. One sample is one fault: the period of accesses that
/// is asked for means nothing here.
SamplerPlan plan_page_faults();

}  // namespace lbhm::sampling
