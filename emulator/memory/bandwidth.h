// How threads share the bandwidth of a tier within a quantum.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/base/time.h"
#include "emulator/description/preset.h"

namespace lbhm::emulator {

/// What was read and written of a tier, as the time that it takes at the bandwidth of reading and of writing.
struct Transfers {
  Picoseconds read = 0;
  Picoseconds written = 0;

  /// If reads and writes take turns.
  Picoseconds in_turns() const { return read + written; }
  Transfers& operator+=(const Transfers& other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const Transfers&) const = default;
};

/// What a core moves, by tier.
using Demand = std::array<Transfers, maximum_tiers>;

/// What one line costs a tier.
struct LineCost {
  Picoseconds read = 0;
  Picoseconds write = 0;
};

LineCost line_cost(const Tier& tier);

/// What each core's transfers are of the time that a tier is busy with all of them: as their part of all if they took
/// turns.
class PartOfBusy {
 public:
  PartOfBusy(const Transfers& all, Picoseconds busy) : all_(all.in_turns()), busy_(busy) {}
  Picoseconds of(const Transfers& own) const {
    const Picoseconds turns = own.in_turns();
    return busy_ == all_ ? turns : static_cast<Picoseconds>(static_cast<double>(turns) * ratio());
  }

 private:
  double ratio() const { return static_cast<double>(busy_) / static_cast<double>(all_); }

  Picoseconds all_;
  Picoseconds busy_;
};

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
