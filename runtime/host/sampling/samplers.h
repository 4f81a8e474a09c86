// Door of runtime/host's samplers: where access samples of a real machine come from.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// Samples that the kernel or the processor takes of each thread by itself.
class ThreadSampler : public SampleSource {
 public:
  /// The calling thread is this lane from now on; called again whenever that changes. The first call of a thread opens
  /// its buffer. Never fails: a thread that cannot be sampled is counted in remarks().
  virtual void lane_begins(LaneId lane) = 0;
  /// The calling thread ends: its samples stay until they are drained.
  virtual void thread_ends() = 0;
  /// The calling thread is about to start a team, or goes on alone. Regions nest, and may begin on several threads.
  /// Samplers that watch pages do so only in between: outside, the program may hand any page to a system call.
  virtual void region_begins() {}
  virtual void region_ends() {}
  /// This memory is about to be given back: whoever has it next finds no page of it watched.
  virtual void released(std::uintptr_t /*address*/, Bytes /*bytes*/) {}
  /// Called at this interval, by a thread that is no lane: regions may be long. 0: there is nothing to do.
  virtual Nanoseconds interval() const { return Nanoseconds(0); }
  virtual void interval_passed() {}
  /// Empty when all is well; otherwise sentences for the report.
  virtual std::vector<std::string> remarks() = 0;
};

/// Memory that LB-HM manages; both are multiples of a page.
struct ManagedRange {
  std::uintptr_t address = 0;
  Bytes bytes;
};
/// `ranges`: by address, not overlapping.
inline bool within(std::span<const ManagedRange> ranges, std::uintptr_t page) {
  const auto behind = std::ranges::upper_bound(ranges, page, {}, &ManagedRange::address);
  return behind != ranges.begin() && page - std::prev(behind)->address < std::prev(behind)->bytes.value;
}
using UseRanges = std::function<void(std::span<const ManagedRange> ranges)>;

struct SamplerOptions {
  std::string kind = "auto";   ///< LBHM_SAMPLER: auto, pebs, ibs, spe, hints, faults, none
  AccessCount period{10000};   ///< accesses a sample
  double most_per_second = 0;  ///< of all threads; beyond it the period grows. 0: the default of the sampler
  /// Tells the tiers of pages; no_tier for pages that are not there.
  std::function<void(std::span<const std::uintptr_t> pages, std::span<TierId> out)> where;
  /// Calls `use` with all managed memory, none of which is moved or released before that returns; not at all while some
  /// is. None: the sampler `hints` does not work.
  std::function<void(const UseRanges& use)> managed{};
  /// The clock of the machine, for the times of samples. None: CLOCK_MONOTONIC.
  std::function<Nanoseconds()> now;
  std::string root = "/";  ///< of /sys and /proc, for tests
};

/// The best sampler that works here, or the one asked for. Null, with an explanation in `why`: none does, or "none".
/// Errors: invalid_argument (an unknown kind), unavailable (the kind asked for does not work here, and what would
/// help).
Result<std::unique_ptr<ThreadSampler>> make_sampler(const SamplerOptions& options, std::string& why);

struct ObserverOptions {
  std::string root = "/";  ///< of /proc and /sys, for tests
  /// The lane of the calling thread; called in a signal handler.
  LaneId (*lane)() = nullptr;
  /// As SamplerOptions::now. Not called in a signal handler.
  std::function<Nanoseconds()> now;
  /// Where accessed bits come from: auto (idle, or with hint_faults else faults), idle (page_idle: root), damon (DAMON:
  /// root), faults (hint faults; every page that is accessed costs one after each scan), written (PAGEMAP_SCAN: pages
  /// that were written; reads go unseen).
  std::string accessed = "auto";
  /// Hint faults may be used: somebody said so who knows what they break (docs/sampling.md). "faults" says so, too.
  bool hint_faults = false;
  /// As SamplerOptions::managed: no other page is armed. None: every page that is asked for.
  std::function<void(const UseRanges& use)> managed{};
  /// Hint faults of all threads; beyond it fewer pages are armed than were asked for. 0: 5 % of the processors' time.
  double most_per_second = 0;
};

/// Accessed bits and, where they are allowed, hint faults with what this kernel offers. Hint faults make pages
/// PROT_NONE until they are touched: disarm them before they are moved or unmapped, and before the kernel is to use
/// them for the program: a system call on such a page fails with EFAULT where a load would fault and go on. Pages of
/// stacks must not be armed.
class HostPageObserver : public PageObserver {
 public:
  virtual void disarm(std::span<const std::uintptr_t> pages) = 0;
  /// Costs next to nothing when nothing is armed: for the end of each region, before serial code does its I/O.
  virtual void disarm_all() = 0;
  /// Empty when all is well; otherwise sentences for the report.
  virtual std::vector<std::string> remarks() = 0;
};
/// One at a time in a process. Null, with an explanation in `why`: what the kernel offers is not allowed, or what was
/// asked for does not work. Otherwise `why` names what is used, and what is missing for better.
std::unique_ptr<HostPageObserver> make_page_observer(const ObserverOptions& options, std::string& why);

}  // namespace lbhm
