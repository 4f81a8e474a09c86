// The packets that Arm's Statistical Profiling Extension writes to memory: Arm Architecture Reference Manual for
// A-profile (DDI 0487), chapter "Statistical Profiling Extension Sample Record Specification".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace lbhm::sampling {

/// One sampled operation; what its record does not say is 0.
struct SpeRecord {
  std::uint64_t address = 0;  ///< virtual address of the data, tag removed
  std::uint64_t time = 0;     ///< ticks of the generic timer
  std::uint64_t latency = 0;  ///< cycles from dispatch to completion
  std::uint64_t events = 0;   ///< bits of the events packet
  std::uint64_t source = 0;   ///< what the processor calls the place that the data came from
  bool has_source = false;
  bool memory_operation = false;  ///< load, store or atomic
  bool store = false;
};

/// Events packet: the access missed the last cache of the hierarchy that the processor knows of.
inline constexpr std::uint64_t spe_last_level_miss = 1u << 9;
/// Data source packet of Arm's Neoverse cores (their Technical Reference Manuals): DRAM.
inline constexpr std::uint64_t spe_neoverse_dram = 0xe;

/// Gives each complete record to `take`; bytes that are no packet are passed over one by one until a record ends.
/// Returns how many records had to be given up, a cut one at the end included.
std::uint64_t parse_spe(std::span<const std::byte> bytes, const std::function<void(const SpeRecord&)>& take);

}  // namespace lbhm::sampling
