// What the machine contract (machine.h) tells of pages without samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// The first access to a page since it was armed.
struct HintFault {
  std::uintptr_t page = 0;  ///< its first address
  LaneId lane;
  bool write = false;
  Nanoseconds time;  ///< on the clock of the machine
};

/// What policies can learn of pages without samples, as the page tables and the operating system offer it. Pages that
/// are not mapped are passed over.
class PageObserver {
 public:
  virtual ~PageObserver() = default;
  /// out[i]: was pages[i] accessed since its bit was last cleared? Then clears the bits, if asked to. Accesses through
  /// a translation that a TLB still holds from before may go unseen: on the emulated machine those of the quantum in
  /// which the bit was cleared. Costs the caller the time of the scan. `pages` and `out` have one length.
  virtual void scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) = 0;
  /// False: arm_hint_faults does nothing here.
  virtual bool sees_hint_faults() const { return true; }
  /// The next access to each of the pages is a hint fault: it costs whoever does it time, and is recorded once.
  virtual void arm_hint_faults(std::span<const std::uintptr_t> pages) = 0;
  /// Moves all records since the last call to the end of `out`, in the order of (time, lane).
  virtual void drain_hint_faults(std::vector<HintFault>& out) = 0;
};

/// What one lane did between two points at which it waited for the others; equal labels are added up.
struct CountedInterval {
  static constexpr std::uint32_t no_region = ~std::uint32_t{0};  ///< the initial thread, outside of teams

  std::uint32_t epoch = 0;           ///< calls of LB_HM_config so far
  std::uint32_t region = no_region;  ///< number of the parallel construct
  std::uint32_t stretch = 0;         ///< barriers of this instance that the lane has passed
  LaneId lane{};
  Nanoseconds time{};  ///< at work
};

/// Exact counts by page, for the oracle: emulated machines only, when they were asked for.
class PageCounts {
 public:
  virtual ~PageCounts() = default;
  /// The object at this address, which reserve() just gave, is the nth of its site (runtime/objects).
  virtual void name_object(std::uintptr_t address, std::uint64_t site, std::uint64_t nth) = 0;
  /// All that the calling thread did since its last call belongs to this interval.
  virtual void end_interval(const CountedInterval& interval) = 0;
  /// Nothing more will come. `regions`: names of the parallel constructs, by number. Errors: unavailable.
  virtual Status save(std::span<const std::string> regions) = 0;
};

}  // namespace lbhm
