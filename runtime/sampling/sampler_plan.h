// What the samplers differ in: the events that they open for each thread, and how a sample of theirs is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/sampling/perf_event.h"
#include "runtime/sampling/perf_record.h"

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
};

}  // namespace lbhm::sampling
