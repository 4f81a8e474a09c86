// The time that a core needs for its accesses: caches, TLB, overlap of misses, prefetching, mispredicted branches.
//
// This class is the whole core and memory-latency model. What drives it (emulated_core.h) knows only run(): a better
// model takes its place by offering the same functions.
//
// It is an interval simulation: D. Genbrugge, S. Eyerman, L. Eeckhout, "Interval Simulation", HPCA 2010; T. Carlson, W.
// Heirman, L. Eeckhout, "Sniper", SC 2011. Instructions flow at the rate of dispatch until a miss event stops them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "emulator/description/preset.h"
#include "emulator/memory/bandwidth.h"
#include "emulator/memory/memory_port.h"
#include "emulator/memory/page_table.h"
#include "emulator/parts/cache.h"
#include "emulator/parts/fill_buffers.h"
#include "emulator/parts/last_level.h"
#include "emulator/parts/load_times.h"
#include "emulator/parts/page_counter.h"
#include "emulator/parts/prefetcher.h"
#include "emulator/parts/reorder_window.h"
#include "emulator/parts/sampler.h"
#include "emulator/parts/tlb.h"
#include "emulator/parts/under_way.h"
#include "lbhm/instrumentation.h"
#include "runtime/base/values.h"

namespace lbhm::emulator {

/// What an instrumented program did between two refills, besides its accesses.
struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t slots = 0;      ///< of dispatch: instructions, or more where other units are the limit
  std::uint64_t chain = 0;      ///< cycles of loops that a chain of operations limits; their slots are not counted
  std::uint64_t additions = 0;  ///< of floating-point numbers in those chains
  std::uint64_t units = 0;      ///< quarters of cycles, of units that a wider core does not have more of
  std::uint64_t vectors = 0;
  std::uint64_t branches = 0;
  std::uint64_t mispredictions = 0;  ///< each has an entry in the buffer, which costs the time
};

// Fields stand by what they are for; 64 bytes of padding are one cache line of a core that has megabytes.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
class CoreModel {
 public:
  CoreModel(const MachineDescription& machine, PageMap& pages, std::uint64_t core, PageNumberRange ignored_pages);

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
  /// The quantum has ended: takes what the cores share as it is now, and other cores' interrupts. `running`: it costs
  /// time; a core that had nothing to do notices them for free.
  void meet_others(bool running);
  /// Translations of these pages are no longer valid.
  void forget_translations(std::span<const PageNumber> pages);

  /// While false, accesses make their pages appear and bring translations into the TLB, and nothing is counted: caches
  /// and prefetchers stay as they are, as if the program went on at once.
  void measure(bool on) { measuring_ = on; }
  bool measuring() const { return measuring_; }

  /// Transfers since the last call.
  Demand take_demand();
  void add_demand(std::size_t tier, const Transfers& more) {
    if (measuring_) memory_.add_demand(tier, more);
  }

  EventCounts events() const;
  /// From now on events() says how long loads were under way. Not before, if the description says so.
  void count_loads() { counting_loads_ = true; }
  std::vector<AccessCount> accesses() const;
  /// Lines that the prefetcher asked for in vain.
  std::uint64_t useless_prefetches() const { return counters_.prefetches_useless; }
  std::uint64_t tlb_misses() const { return counters_.tlb_misses; }
  Sampler& sampler() { return sampler_; }
  /// Of touched lines, whoever served them.
  Sampler& touches() { return touches_; }
  /// Null if nobody wants to know.
  PageCounter* page_counter() { return counter_.get(); }
  void set_lane(LaneId lane) { lane_ = lane; }
  LaneId lane() const { return lane_; }
  PageTable& page_table() { return table_; }

 private:
  static constexpr std::size_t chunk = 64;      // entries translated ahead, so that look-ups of the host overlap
  static constexpr unsigned fraction_bits = 8;  // of position_

  /// Time in which something went on, of intervals that come in the order in which they begin: what an earlier one
  /// covers adds nothing.
  struct Busy {
    Picoseconds total = 0;
    Picoseconds until = 0;
    void add(Picoseconds begin, Picoseconds end) {
      total += end > std::max(begin, until) ? end - std::max(begin, until) : 0;
      until = std::max(until, end);
    }
  };

  struct Counters {
    UnderWay pages;  // that loads from memory were from; first, for it is aligned as vectors are
    std::uint64_t instructions = 0;
    std::uint64_t vectors = 0;
    std::uint64_t branches = 0;
    std::uint64_t mispredictions = 0;
    std::uint64_t l2_load_misses = 0;
    std::uint64_t l3_load_misses = 0;
    std::uint64_t prefetches = 0;
    std::uint64_t prefetch_misses = 0;
    std::uint64_t prefetches_useless = 0;
    std::uint64_t tlb_misses = 0;
    Picoseconds load_occupancy = 0;                       // sum of the times that loads from memory were under way
    Busy loads;                                           // while at least one was
    Busy buffers_full;                                    // while one waited for a fill buffer
    std::array<std::uint64_t, maximum_tiers> accesses{};  // misses of the last-level cache, by tier
  };

  /// An access that missed the first-level cache.
  struct Miss {
    std::uint64_t entry = 0;
    LineId line = no_line;
    Picoseconds now = 0;    // by the clock
    Picoseconds ready = 0;  // when its address is known
    Picoseconds start = 0;  // when it has a fill buffer, too, so that the prefetcher sees it
    Picoseconds walk = 0;   // of the page table
    Picoseconds turn = 0;   // when the caches hand it over, known address or not: after the lines before it
    Prefetcher::Prediction prediction;
  };

  /// Who had the line of the last access that missed the first-level cache or waited there.
  struct Served {
    ServedBy by = ServedBy::l1;
    TierId tier = no_tier;
    Picoseconds latency = 0;  // load to use
  };

  std::size_t run_sampling_touches(std::span<const std::uint64_t> entries, Picoseconds until);
  std::size_t run_untouched(std::span<const std::uint64_t> entries, Picoseconds until);
  void sample_touch(std::uint64_t entry);
  std::size_t run_with(std::span<const std::uint64_t> entries, Picoseconds until);
  std::size_t run_plain(std::span<const std::uint64_t> entries, Picoseconds until);
  std::size_t run_avx2(std::span<const std::uint64_t> entries, Picoseconds until);
  std::size_t run_avx512(std::span<const std::uint64_t> entries, Picoseconds until);

  Picoseconds position() const { return position_ >> fraction_bits; }
  /// Time passes for so many entries and the work around them.
  void dispatch(std::uint64_t entries) { position_ += entries * step_; }
  std::uint64_t work_time(const Work& work) const;
  void set_window(std::uint64_t instructions, std::uint64_t time);
  void translate(std::span<const std::uint64_t> entries, std::array<LineId, chunk>& lines);
  /// What accesses in a pause do.
  void touch_pages(std::span<const std::uint64_t> entries);
  bool past_caches(std::uint64_t entry) const;
  /// What has no place in the caches, and is not nothing at all.
  void serve(std::uint64_t entry, LineId line, bool cached, Cache::Outcome l1);
  void uncached(std::uint64_t entry, LineId line);
  void branch(std::uint64_t entry);
  void store_past_caches(std::uint64_t entry, LineId line);
  void miss_l1(std::uint64_t entry, LineId line, Cache::Outcome l1);
  void memory_access(const Miss& miss);
  void finish(const Miss& miss, Picoseconds latency, bool memory);
  /// Brings the page's translation into the TLB. True if it was there.
  bool look_up(std::uint64_t entry, Frame frame);
  /// Looks the page up in the TLB. Returns what the look-up takes.
  Picoseconds translate_miss(std::uint64_t entry, LineId line);
  void hint_fault(std::uint64_t entry, PageId page);
  void waste(const Prefetcher::Waste& waste);
  void sample(std::uint64_t entry, TierId tier, Picoseconds latency, Picoseconds time);
  /// When the address of an access is known.
  LoadTimes::Done address_of(std::uint64_t entry) const {
    return loads_.of_site(sites_.address_from(static_cast<SiteNumber>(entry >> LBHM_EMU_SITE_SHIFT)));
  }
  /// Times of loads and stores whose data comes `latency` after they are issued.
  void load(const Miss& miss, Picoseconds latency, bool memory);
  /// A load from memory that could be asked for at `wanted` is under way for `duration`, until `done`.
  void count_load(LineId line, Picoseconds wanted, Picoseconds duration, Picoseconds done);
  void short_load(const Miss& miss, Picoseconds latency, bool memory);
  void store(const Miss& miss, Picoseconds latency, bool memory);
  Picoseconds beyond_l1(Picoseconds now, Picoseconds ready, Picoseconds latency) const;
  Picoseconds fill(const Miss& miss, Picoseconds now, Picoseconds ready, Picoseconds beyond);
  bool waits(std::uint64_t entry, LineId line, Picoseconds now) const;
  void hit_under_miss(std::uint64_t entry, LineId line);
  void write_back(LineId line);
  /// For the books by page; 0 where there are none.
  PageId counted_page(LineId line) const;
  MemoryPort::Line memory_line(LineId line) const;

  const std::uint64_t core_;
  std::uint64_t position_ = 0;  // dispatch time in 2^-fraction_bits ps
  Waiting waiting_;
  std::uint64_t step_ = 0;  // of position_, an entry
  std::uint64_t step_remainder_ = 0;
  bool measuring_ = true;
  bool counting_loads_;
  bool nontemporal_ = false;  // there are sites of such stores

  std::uint64_t slot_time_;             // in 2^-fraction_bits ps
  std::uint64_t cycle_time_;            // in 2^-fraction_bits ps
  std::uint64_t faster_addition_time_;  // than the plugin counts, in 2^-fraction_bits ps
  std::uint64_t window_size_;
  Picoseconds misprediction_time_;
  Picoseconds l1_latency_;
  Picoseconds l2_latency_;
  Picoseconds llc_latency_;
  Picoseconds walk_time_;
  Picoseconds sample_cost_;
  Picoseconds fault_cost_;
  Picoseconds interrupt_cost_;
  double cycles_per_picosecond_;
  std::size_t tier_count_;
  bool llc_shared_;
  bool contention_;

  PageMap& pages_;
  const SiteTable& sites_;
  Cache l1_;
  Cache l2_;
  LastLevel llc_;
  LinePort l2_port_;
  LinePort llc_port_;
  Tlb tlb_;
  Prefetcher prefetcher_;
  FillBuffers fill_buffers_;
  ReorderWindow window_;
  WriteBuffer write_buffer_;
  LoadTimes loads_;
  MemoryPort memory_;
  std::unique_ptr<PageCounter> counter_;
  PageTable table_;
  Sampler sampler_;
  Sampler touches_;
  LaneId lane_;
  Picoseconds idle_ = 0;
  std::uint64_t llc_uses_told_ = 0;
  std::uint64_t llc_rounds_seen_ = 0;
  std::uint64_t flushes_seen_ = 0;
  Counters counters_;
  Served served_;
};

}  // namespace lbhm::emulator
