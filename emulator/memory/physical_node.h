// What all processes on one emulated machine share: the room of its tiers, and how far its clock has come.
//
// One process needs no more than PrivateNode below. For several (the ranks of an MPI program on one node) an
// implementation in shared memory has to
//   - keep the books in a segment by name (shm_open), made by whoever comes first and checked for the machine's
//   numbers;
//   - register every process with its number, so that room goes to (virtual time, process, core, touch), and take the
//     pages of one that died back;
//   - decide room at the ends of quanta only: what take() grants within a quantum must not depend on who asked first in
//     real time (PageMap asks when it hands pages out, and when pages move);
//   - let agree() return when all processes have closed the quantum: the next begins at the earliest of their times. A
//     process in which nobody runs (it waits for a message, or has ended) must not be waited for.
// Not shared here and still each process's own then: bandwidth (Quantum), the last-level cache (LlcShares),
// memory-mode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/base/time.h"
#include "emulator/description/preset.h"

namespace lbhm::emulator {

class PhysicalNode {
 public:
  virtual ~PhysicalNode() = default;

  /// Pages that are free in a tier.
  virtual std::uint64_t room(std::size_t tier) const = 0;
  /// One page less. It is the caller's to ask whether there is room: when all tiers are full, one goes beyond.
  virtual void take(std::size_t tier) = 0;
  virtual void give(std::size_t tier) = 0;

  /// A quantum has closed, and nobody of this process has anything to do before `earliest`. Returns when all processes
  /// have said so, with the time at which the next quantum begins.
  virtual Picoseconds agree(Picoseconds earliest) = 0;
};

/// One process has the machine for itself. Guarded by who uses it: the books by the page map's lock, the clock by the
/// quantum's.
class PrivateNode final : public PhysicalNode {
 public:
  /// `capacity`: pages.
  explicit PrivateNode(const std::array<std::uint64_t, maximum_tiers>& capacity) : capacity_(capacity) {}

  std::uint64_t room(std::size_t tier) const override {
    return used_[tier] < capacity_[tier] ? capacity_[tier] - used_[tier] : 0;
  }
  void take(std::size_t tier) override { ++used_[tier]; }
  void give(std::size_t tier) override { --used_[tier]; }
  Picoseconds agree(Picoseconds earliest) override { return earliest; }

 private:
  std::array<std::uint64_t, maximum_tiers> capacity_{};
  std::array<std::uint64_t, maximum_tiers> used_{};
};

}  // namespace lbhm::emulator
