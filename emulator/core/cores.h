// All emulated cores of the machine, and which one executes which lane.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "emulator/core/emulated_core.h"

namespace lbhm::emulator {

/// Cores are numbered by what they execute, not by when they appeared, so that ties between equal clocks are always
/// decided alike: lane i of a team of the first thread is core i, lane j of a team of level l forked by core p is
/// 2^56 l + 65536 (p + 1) + j (one core may have forked on several levels); where that would not fit, a number made of
/// both by chance, the same in every run. Lane 0 stays on the core that forks.
///
/// The core of a thread of the program's own goes with the thread, and so do those of the lanes that it forked; what
/// they counted stays. libomp's threads are bound to such a core until they get another lane: they share it.
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

  /// The thread that `core` executes has ended.
  void retire(const Core& core);

  /// Moves the samples of all cores to the end of `out`; returns how many were lost.
  std::uint64_t drain(std::vector<AccessSample>& out);
  /// The same of sampled touches.
  std::uint64_t drain_touches(std::vector<AccessSample>& out);
  /// One miss in so many is sampled from now on, by cores that are yet to come too; 0: none.
  void set_sample_period(std::uint64_t period);
  /// Sums over all cores.
  EventCounts events();
  /// Of all cores, by tier.
  std::vector<AccessCount> accesses();

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

  /// What is left of cores that are no more.
  struct Retired {
    PrivateVector<AccessSample> samples;  ///< until they are drained
    std::uint64_t lost = 0;
    PrivateVector<AccessSample> touches;  ///< likewise
    std::uint64_t lost_touches = 0;
    EventCounts events;
    PrivateVector<AccessCount> accesses;  ///< by tier
  };

  /// `root`: the first thread's is 0, and its cores stay.
  Core& get(std::uint64_t number, MemberState state, std::uint64_t root);
  void retire_locked(const std::shared_ptr<Core>& core);
  Core& next(Series& series, MemberState state);

  const MachineDescription& machine_;
  PageMap& pages_;
  Quantum& quantum_;
  PageNumberRange stack_;
  std::mutex lock_;
  std::optional<std::uint64_t> sample_period_;  // nothing: the machine file's
  PrivateMap<std::uint64_t, std::shared_ptr<Core>> cores_;
  PrivateMap<std::uint64_t, PrivateVector<std::uint64_t>> families_;  // by root: all that go with it
  Retired retired_;
  Series outside_{.first_number = std::uint64_t{1} << 36, .first_lane = 1000};
  Series daemons_{.first_number = std::uint64_t{1} << 37, .first_lane = 1'000'000};
  Core* first_;
};

}  // namespace lbhm::emulator
