// Carries plans out beside the program.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/machine/machine.h"
#include "runtime/migration/migration.h"

namespace lbhm {

/// What became of all plans so far. `MoveReport::left`: what waits for its turn.
struct BackgroundReport {
  Bytes planned;
  Bytes forgotten;  ///< a newer plan came before its turn
  MoveReport moves;
};

/// A batch at a time, on a thread of the machine: nothing of the program waits longer than a batch takes. Calls may
/// come from any thread.
class Mover {
 public:
  /// Has the machine call it. `asked`: MigrationOptions::asked. Errors: those of Machine::every.
  Status start(Machine& machine, std::function<void(std::span<const std::uintptr_t>)> asked = {});
  /// From now on this plan, for which `candidates` may make room; what is left of the one before is forgotten.
  void replace(MigrationPlan plan, std::vector<EvictionCandidate> candidates = {});
  /// Copied so far.
  Bytes moved() const { return report().moves.moved; }
  BackgroundReport report() const;

 private:
  struct Job;

  void tick(Machine& machine);
  /// The next pages of job_; mutex_ is held.
  MigrationPlan next_batch(Bytes bytes);
  Bytes waiting() const;

  mutable std::mutex mutex_;       // never held while the machine moves pages
  std::shared_ptr<Job> job_;       // null: none came yet
  std::size_t next_ = 0;           // move of the plan
  Bytes taken_;                    // of that move
  std::uint64_t batch_pages_ = 0;  // set by start
  BackgroundReport report_;
  std::function<void(std::span<const std::uintptr_t>)> asked_;
};

}  // namespace lbhm
