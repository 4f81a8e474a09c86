// How threads share the bandwidth of a tier within a quantum.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/base/time.h"
#include "emulator/description/preset.h"

namespace lbhm::emulator {

/// How long each tier would be busy with one core's transfers if it had nothing else to do.
using Demand = std::array<Picoseconds, maximum_tiers>;

/// What one line costs a tier.
struct LineCost {
  Picoseconds read = 0;
  Picoseconds write = 0;
};

LineCost line_cost(const Tier& tier);

/// What copying a page takes, and how long each tier is busy with it.
struct PageCopy {
  Picoseconds read = 0;
  Picoseconds write = 0;
  Picoseconds time = 0;
};

PageCopy page_copy(const MachineDescription& machine, std::size_t from, std::size_t to);

/// Processor sharing: every core that still has transfers under way gets the same part of the tier. All start at 0;
/// `demands[i]` becomes the time at which core i is served:  t_i = sum over j of min(d_i, d_j).
void share_tier(std::span<Picoseconds> demands);

/// What is left of each core's transfers when the tier has served them for `duration` in that way.
void serve_tier(std::span<Picoseconds> demands, Picoseconds duration);

}  // namespace lbhm::emulator
