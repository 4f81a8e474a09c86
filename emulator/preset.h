// A machine file (schema lbhm.machine/1, presets/machine.schema.json) as the emulator uses it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/cache.h"
#include "emulator/prefetcher.h"
#include "emulator/time.h"
#include "lbhm/machine.h"
#include "lbhm/status.h"

namespace lbhm::emulator {

inline constexpr std::size_t maximum_tiers = 8;
inline constexpr unsigned line_bits = 6;   // 64-byte lines
inline constexpr unsigned page_bits = 12;  // 4 KiB pages

/// Instruction widths and penalties of a core, in its own cycles.
struct CoreShape {
  double dispatch_width = 1;        ///< instructions a cycle
  double misprediction_cycles = 0;  ///< lost to one mispredicted branch
  double l2_latency_cycles = 0;     ///< load to use
  double llc_latency_cycles = 0;
  std::uint32_t reorder_window = 1;  ///< instructions
  std::uint32_t fill_buffers = 1;    ///< misses under way at one time
  CacheShape l1;
  CacheShape l2;
  CacheShape llc;  ///< the slice of one core
  PrefetcherShape prefetcher;
};

struct MachineDescription {
  Topology topology;
  CoreShape core;
  std::uint64_t sample_period = 1;  ///< misses of the last-level cache a sample
  std::uint64_t seed = 1;           ///< of the first sample of each core
  Picoseconds sample_cost = 0;
  Picoseconds move_cost = 0;  ///< of a page, the copy itself not counted
  Picoseconds quantum = 1;
};

/// `text` is the content of `file`, which errors name. Errors: malformed.
Result<MachineDescription> parse_machine(std::string_view text, const std::string& file);

/// `preset` as in make_emulated_machine. Errors: not_found (lists what there is), malformed.
Result<MachineDescription> load_machine(std::string_view preset, std::string_view directory);

}  // namespace lbhm::emulator
