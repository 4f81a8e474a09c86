// The time that a core needs for its accesses: caches, overlap of misses, prefetching, mispredicted branches.
//
// This class is the whole core and memory-latency model. What drives it (core.h) knows only run(): a better model
// takes its place by offering the same functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/bandwidth.h"
#include "emulator/cache.h"
#include "emulator/page_table.h"
#include "emulator/prefetcher.h"
#include "emulator/preset.h"
#include "emulator/reorder_window.h"
#include "emulator/sampler.h"
#include "lbhm/values.h"

namespace lbhm::emulator {

/// What an instrumented program did between two refills, besides its accesses.
struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t vectors = 0;
  std::uint64_t branches = 0;
  std::uint64_t mispredictions = 0;
};

class CoreModel {
 public:
  CoreModel(const MachineDescription& machine, PageMap& pages, std::uint64_t core, PageRange ignored_pages);

  /// Announces the accesses that run() will get, and the work around them, which is spread evenly over them.
  void begin(const Work& work, std::size_t accesses);
  /// Executes entries of an instrumentation buffer until the clock reaches `until`. Returns how many.
  std::size_t run(std::span<const std::uint64_t> entries, Picoseconds until);
  /// The thread synchronises: everything under way is waited for.
  void drain();

  Picoseconds clock() const { return position() + waiting_.total; }
  /// The core had nothing to do until then.
  void idle_until(Picoseconds time);
  /// The core waited for the bandwidth of the memory.
  void wait_for_memory(Picoseconds duration);
  /// The core did something that is no access (a migration).
  void spend(Picoseconds duration) { waiting_.total += measuring_ ? duration : 0; }

  /// While false, accesses go through caches and page table, and nothing is counted.
  void measure(bool on) { measuring_ = on; }
  bool measuring() const { return measuring_; }

  /// Transfers since the last call.
  Demand take_demand();
  void add_demand(std::size_t tier, Picoseconds time) { demand_[tier] += measuring_ ? time : 0; }

  EventCounts events() const;
  std::vector<AccessCount> accesses() const;
  Sampler& sampler() { return sampler_; }
  void set_lane(LaneId lane) { lane_ = lane; }
  PageTable& page_table() { return table_; }

 private:
  static constexpr std::size_t chunk = 64;      // entries translated ahead, so that look-ups of the host overlap
  static constexpr unsigned fraction_bits = 8;  // of position_

  struct Counters {
    std::uint64_t instructions = 0;
    std::uint64_t vectors = 0;
    std::uint64_t branches = 0;
    std::uint64_t mispredictions = 0;
    std::uint64_t l2_load_misses = 0;
    std::uint64_t l3_load_misses = 0;
    std::uint64_t prefetches = 0;
    std::uint64_t prefetch_misses = 0;
    std::array<std::uint64_t, maximum_tiers> accesses{};  // misses of the last-level cache, by tier
  };
  struct TierTiming {
    Picoseconds sequential = 0;
    Picoseconds random = 0;
    LineCost line;
  };

  Picoseconds position() const { return position_ >> fraction_bits; }
  /// Time passes for so many accesses and the work around them.
  void dispatch(std::uint64_t accesses);
  void translate(std::span<const std::uint64_t> entries, std::array<LineId, chunk>& lines);
  void miss_l1(std::uint64_t entry, LineId line, Cache::Outcome l1);
  void l2_hit(std::uint64_t entry, const Prefetcher::Prediction& prediction);
  void llc_hit(std::uint64_t entry, const Prefetcher::Prediction& prediction);
  void memory_access(std::uint64_t entry, LineId line, const Prefetcher::Prediction& prediction);
  void sample(std::uint64_t entry, TierId tier, Picoseconds latency);
  /// A load waits for `latency`, overlapped with others unless its address depends on them.
  void load(std::uint64_t entry, Picoseconds latency, bool memory);
  void write_back(LineId line);

  std::uint64_t position_ = 0;  // dispatch time in 2^-fraction_bits ps
  Waiting waiting_;
  std::uint64_t step_ = 0;  // of position_, an access
  std::uint64_t step_remainder_ = 0;
  Picoseconds penalty_step_ = 0;  // of waiting_.total, an access
  bool measuring_ = true;

  std::uint64_t instruction_time_;  // in 2^-fraction_bits ps
  Picoseconds misprediction_time_;
  Picoseconds l2_latency_;
  Picoseconds llc_latency_;
  Picoseconds sample_cost_;
  double cycles_per_picosecond_;
  std::size_t tier_count_;
  std::array<TierTiming, maximum_tiers> tiers_{};

  Cache l1_;
  Cache l2_;
  Cache llc_;
  Prefetcher prefetcher_;
  ReorderWindow window_;
  PageTable table_;
  Sampler sampler_;
  LaneId lane_;
  Demand demand_{};
  Picoseconds idle_ = 0;
  Counters counters_;
};

}  // namespace lbhm::emulator
