// Whether what moved at intervals brought anything: sampled accesses to the pages that came, against those to the pages
// that left; and how much accesses queue meanwhile.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Accesses of a program, and how many of them fast memory served.
struct FastShare {
  double fast = 0, all = 0;

  void add(std::span<const AccessSample> samples) {
    for (const AccessSample& sample : samples) {
      all += 1;
      fast += sample.tier == TierId(0) ? 1 : 0;
    }
  }
  /// So great a part is forgotten.
  void fade(double part) { fast *= 1 - part, all *= 1 - part; }
  double value() const { return all > 0 ? fast / all : 0; }
};

/// Of the time that sampled accesses waited for a tier, the part for which they queued: what is beyond its idle latency
/// of unrelated lines. With M/M/1 that is the share of time for which the tier is busy.
struct QueueShare {
  double queued = 0, waited = 0;  ///< nanoseconds

  void add(std::span<const AccessSample> samples, TierId tier, Nanoseconds idle) {
    for (const AccessSample& sample : samples) {
      if (sample.tier != tier) continue;
      waited += sample.latency.value;
      queued += std::max(0.0, (sample.latency - idle).value);
    }
  }
  /// So great a part is forgotten.
  void fade(double part) { queued *= 1 - part, waited *= 1 - part; }
  double value() const { return waited > 0 ? queued / waited : 0; }
};

/// Pages that moved without a plan, while a phase runs. Each sample is compared with itself: fast memory would have
/// served it, had nothing moved, if its page has left, and would not have if its page has come. So what the program
/// does next makes no difference, only where its pages are.
class GainWatch {
 public:
  enum class Verdict : std::uint8_t { go_on, stop, undo };
  /// What ends moves once as many pages have come as fast memory has: it is shown that they bring nothing, or it is not
  /// shown that they bring something.
  enum class Ends : std::uint8_t { shown_worthless, not_shown_worth };

  /// Standard errors of (gained - lost), which is the root of their sum, below which moves did harm: once in 740 times
  /// by chance.
  static constexpr double harm = 3;
  /// And of all accesses so many were lost at least: pages whose turn comes later in a phase are lost for a while.
  /// Assumption.
  static constexpr double much = 0.1;
  /// A turn-over of fast memory has to gain this part of all accesses, beyond twice the error; and where that has to be
  /// shown, this one, as copies cost something. Assumptions.
  static constexpr double worth = 0.01, shown_worth = 0.05;
  /// Samples that count: earlier ones half, and so on.
  static constexpr double remembered = 1000;

  /// From now on; these pages are in fast memory.
  void start(std::vector<std::uintptr_t> fast);
  bool started() const { return started_; }
  /// A plan moves pages: what it does is not watched.
  void end() { *this = {}; }
  /// The samples of a wake-up, and what to do: go on; stop, because as many pages have come as fast memory has
  /// (`fast_pages`), and bring nothing; undo, because those that left are used more.
  Verdict judge(std::span<const AccessSample> samples, std::uint64_t fast_pages, Bytes page,
                Ends ends = Ends::shown_worthless);
  /// Samples that what moved so far won for fast memory, and the standard error of that.
  double gain() const { return gained_ - lost_; }
  double error() const { return std::sqrt(gained_ + lost_); }
  /// What moved so far brings this part of all accesses at least.
  bool brings(double part) const { return gain() > part * all_; }
  /// Pages move, from and to fast memory.
  void moving(const MigrationPlan& plan, Bytes page);
  /// A new object is there: its pages are others than before.
  void forget(std::uintptr_t address, Bytes bytes);
  /// The pages that moved go back to where they were: those that came leave first. In the order in which they moved:
  /// addresses of stacks, which are pages like others, are not the same in every run.
  MigrationPlan undone(Bytes page, TierId slow) const;

 private:
  /// A turn-over of fast memory is over.
  bool stops(Ends ends) const;

  bool started_ = false;
  std::vector<std::uintptr_t> at_start_;  // in fast memory; sorted
  struct Moved {
    bool came = false;         // to fast memory; else it left
    std::uint64_t number = 0;  // in the order of moves
  };
  std::map<std::uintptr_t, Moved> moved_;  // by page
  std::uint64_t moves_ = 0;
  double gained_ = 0, lost_ = 0, all_ = 0;
  std::uint64_t came_ = 0;
};

}  // namespace lbhm::placement
