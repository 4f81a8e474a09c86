// A machine file (schema lbhm.machine/3, presets/machine.schema.json) as the emulator uses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/base/time.h"
#include "emulator/description/curves.h"
#include "emulator/parts/cache.h"
#include "emulator/parts/fill_buffers.h"
#include "emulator/parts/prefetcher.h"
#include "emulator/parts/reorder_window.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

inline constexpr std::size_t maximum_tiers = 8;
inline constexpr unsigned line_bits = 6;   // 64-byte lines
inline constexpr unsigned page_bits = 12;  // 4 KiB pages

/// Instruction widths and penalties of a core, in its own cycles.
struct CoreShape {
  double dispatch_width = 1;        ///< instructions a cycle
  double addition_cycles = 4;       ///< latency of a floating-point addition
  double misprediction_cycles = 0;  ///< lost to one mispredicted branch once it is resolved
  double l1_latency_cycles = 0;     ///< load to use, like the next two
  double l2_latency_cycles = 0;
  double llc_latency_cycles = 0;
  double l2_cycles_per_line = 0;  ///< between two lines that the level hands over; 0: no limit
  double llc_cycles_per_line = 0;
  double walk_cycles = 0;            ///< what a miss of the TLB adds to a load
  std::uint32_t reorder_window = 1;  ///< instructions
  std::uint32_t fill_buffers = 1;    ///< misses under way at one time
  std::uint32_t write_buffer = 1;    ///< stores that wait for their lines
  CacheShape l1;
  CacheShape l2;
  CacheShape llc;           ///< the slice of one core, or the whole
  bool llc_shared = false;  ///< one for all cores
  CacheShape tlb;           ///< of pages
  PrefetcherShape prefetcher;
};

/// What the emulator knows of a tier beyond the machine contract.
struct TierDetail {
  double loaded_latency_ratio = 1;  ///< latency at 90 % of the bandwidth over idle latency, if it has no curves
  std::optional<Curves> curves;     ///< measured; they say what bandwidth it has, too
  double overlap = 0;  ///< part of the shorter one of reading and writing that passes beside the longer one
  Bytes buffer;        ///< a core's part of the device's buffer, in which lines join to blocks (Tier::granularity)
};

/// What it costs to move pages from tier to tier.
struct MigrationCost {
  Picoseconds page = 0;                    ///< without the copy
  BytesPerNanosecond copy_bandwidth{1e9};  ///< of one copying thread, at most
  Picoseconds shootdown = 0;               ///< to the caller, a batch of pages
  Picoseconds interrupt = 0;               ///< to every other running core, a batch
};

/// What it costs to watch pages.
struct ObservationCost {
  Picoseconds scan = 0;        ///< reading and clearing one accessed bit
  Picoseconds hint_fault = 0;  ///< one access to an armed page
};

struct MachineDescription {
  Topology topology;
  CoreShape core;
  std::vector<TierDetail> tier_details;  ///< by tier; tiers without one have the defaults
  bool sampling = true;                  ///< false: nobody looks at samples, and nobody pays for them
  bool load_counts = true;               ///< false: nobody asks how long loads were under way, until somebody does
  std::uint64_t sample_period = 1;       ///< misses of the last-level cache a sample
  std::uint64_t touch_period = 0;        ///< touched lines a sample of its own kind; 0: none
  std::uint64_t seed = 1;                ///< of the first sample of each core
  std::uint64_t other_clock = 0;         ///< not 0: a variant in which cores differ in speed (slower)
  Picoseconds sample_cost = 0;
  MigrationCost migration;
  ObservationCost observation;
  Picoseconds quantum = 1;
  bool memory_mode = false;  ///< tier 0 is a cache of tier 1
  bool contention = true;    ///< false: nobody waits for bandwidth, and latencies are idle ones
  bool page_counts = false;  ///< cores count what they do to every page

  /// How many times as long everything takes a core, up to four: 1, or another part for each core with another clock.
  double slower(std::uint64_t number) const;
  TierDetail detail(std::size_t tier) const { return tier < tier_details.size() ? tier_details[tier] : TierDetail{}; }
};

/// `text` is the content of `file`, which errors name. Errors: malformed.
Result<MachineDescription> parse_machine(std::string_view text, const std::string& file);

/// `preset` as in make_emulated_machine. Errors: not_found (lists what there is), malformed.
Result<MachineDescription> load_machine(std::string_view preset, std::string_view directory);

}  // namespace lbhm::emulator
