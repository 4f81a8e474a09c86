// Whether what moved at intervals brought anything: the share of sampled accesses that fast memory serves, before and
// after.
#pragma once

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
  void halve() { fast /= 2, all /= 2; }
  double value() const { return all > 0 ? fast / all : 0; }
};

/// The standard error of the difference of two shares (pooled); 0 without samples.
double error_of(const FastShare& before, const FastShare& now);
/// By how many standard errors `now` is above `before` (the test of two proportions, pooled); 0 without samples.
double rise(const FastShare& before, const FastShare& now);

/// Pages that moved without a plan, while a phase runs. Samples of the first wake-up are from before any of them moved.
class GainWatch {
 public:
  enum class Verdict : std::uint8_t { go_on, stop, undo };

  /// Below this many samples on either side it is not said that the share has fallen; nor below the second that it has
  /// stayed. Assumptions: errors of a share of 6 and 2.5 % at most.
  static constexpr double least_samples = 60, many_samples = 400;
  /// Standard errors below which the share has fallen: once in 740 times by chance.
  static constexpr double fallen = -3;
  /// A rise of less is not worth as many copies as fast memory has pages. Assumption.
  static constexpr double worth = 0.03;

  /// A phase begins.
  void begin();
  /// The samples of a wake-up, and what to do: go on; stop, because as many pages as fast memory has were moved, and
  /// the share has not risen; undo, because it has fallen. `fast_pages`: the capacity.
  Verdict judge(std::span<const AccessSample> samples, std::uint64_t fast_pages);
  /// Pages move, from and to these tiers.
  void moving(const MigrationPlan& plan, Bytes page);
  /// The pages that moved go back to where they were: those that came leave first.
  MigrationPlan undone(Bytes page, TierId slow) const;

 private:
  FastShare first_, before_, now_, recent_;  // before anything moved; in the last turn-over, in this one; of late
  bool moves_ = false;
  std::uint64_t came_ = 0;                  // pages, in this turn-over
  std::map<std::uintptr_t, bool> brought_;  // by page: it came to fast memory; false: it left
};

}  // namespace lbhm::placement
