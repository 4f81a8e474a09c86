// Carries plans out beside the program.
#pragma once

#include <atomic>
#include <mutex>

#include "lbhm/machine.h"
#include "lbhm/values.h"

namespace lbhm::engine {

/// A batch at a time, on a thread of the machine. Calls may come from any thread.
class Mover {
 public:
  /// Has the machine call it. Errors: those of Machine::every.
  Status start(Machine& machine);
  /// From now on this plan; what is left of the one before is forgotten.
  void replace(MigrationPlan plan);
  /// Copied so far.
  Bytes moved() const { return Bytes(moved_.load(std::memory_order_relaxed)); }

 private:
  void tick(Machine& machine);
  MigrationPlan next_batch(Bytes page);

  std::mutex mutex_;  // never held while the machine moves pages
  MigrationPlan plan_;
  std::size_t next_ = 0;  // move of the plan
  Bytes taken_;           // of that move
  std::atomic<std::uint64_t> moved_{0};
};

}  // namespace lbhm::engine
