// All emulated cores of the machine, and which one executes which lane.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "emulator/core.h"

namespace lbhm::emulator {

/// Cores are numbered by what they execute, not by when they appeared, so that ties between equal clocks are always
/// decided alike: lane i of a team of the first thread is core i, lane j of a team of level l forked by core p is
/// 2^56 l + 65536 (p + 1) + j (one core may have forked on several levels). Lane 0 stays on the core that forks.
class Cores {
 public:
  Cores(const MachineDescription& machine, PageMap& pages, Quantum& quantum);

  Core& first() { return *first_; }
  /// The core of a lane other than 0. `level` 1: the outermost team.
  Core& lane(const Core& forker, std::uint32_t level, LaneId lane);
  /// A core for a thread that belongs to no team.
  Core& outside();
  /// A core for a daemon.
  Core& daemon();

  /// Calls `visit` for every core, by number.
  template <class Visit>
  void for_each(Visit visit) {
    const std::lock_guard guard(lock_);
    for (auto& [number, core] : cores_) visit(*core);
  }

 private:
  /// Cores that are no lanes of a team: one after the other.
  struct Series {
    std::uint64_t first_number;
    std::uint32_t first_lane;
    std::uint32_t count = 0;
  };

  Core& get(std::uint64_t number, MemberState state);
  Core& next(Series& series, MemberState state);

  const MachineDescription& machine_;
  PageMap& pages_;
  Quantum& quantum_;
  PageRange stack_;
  std::mutex lock_;
  PrivateMap<std::uint64_t, std::unique_ptr<Core>> cores_;
  Series outside_{.first_number = std::uint64_t{1} << 36, .first_lane = 1000};
  Series daemons_{.first_number = std::uint64_t{1} << 37, .first_lane = 1'000'000};
  Core* first_;
};

}  // namespace lbhm::emulator
