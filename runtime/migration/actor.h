// Part of the door of runtime/migration: plans in, moves out.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/machine/machine.h"
#include "runtime/migration/migration.h"
#include "runtime/migration/mover.h"

namespace lbhm {

/// All that is done to pages at the wish of a policy: now, at intervals, beside the program, or when they are first
/// touched. Calls may come from any thread.
class Actor {
 public:
  /// `first_touch`: tiers in which pages without a preference appear, best first. `most_time`: for which a plan may
  /// keep the program waiting; nothing: no limit (virtual time has none). `asked`:
  /// told of the pages that the machine is asked to move.
  Actor(Machine& machine, std::vector<TierId> first_touch, std::optional<std::chrono::nanoseconds> most_time,
        std::function<void(std::span<const std::uintptr_t>)> asked = {})
      : machine_(machine), first_touch_(std::move(first_touch)), most_time_(most_time), asked_(std::move(asked)) {}

  /// From now on plans may be carried out beside the program. Errors: those of Machine::every.
  Status start_mover() { return mover_.start(machine_, asked_); }

  /// Carries a plan out while the calling thread waits, and what its time does not suffice for beside the program,
  /// before `background`. `candidates` may make room. `replacing`: `background` takes the place of what is left of
  /// earlier ones, even if it is empty.
  MoveReport carry_out_now(const MigrationPlan& plan, std::vector<EvictionCandidate> candidates,
                           const MigrationPlan& background, bool replacing);
  /// In order, without making room.
  MoveReport carry_out_at_interval(const MigrationPlan& plan);
  /// Pages of these ranges that are touched from now on appear in these tiers, if they have room. Says what fails.
  void set_preferred_tier(const MigrationPlan& plan);
  /// The same of one range: this tier first, then as first touch goes.
  void set_preferred_tier(std::uintptr_t address, Bytes bytes, TierId first);

  /// Copied so far, at any time.
  Bytes moved() const { return Bytes(waited_for_.load(std::memory_order_relaxed)) + moved_beside(); }
  /// Copied at intervals and beside the program.
  Bytes moved_beside() const { return Bytes(at_intervals_.load(std::memory_order_relaxed)) + mover_.moved(); }
  BackgroundReport background() const { return mover_.report(); }

 private:
  Machine& machine_;
  const std::vector<TierId> first_touch_;
  const std::optional<std::chrono::nanoseconds> most_time_;
  const std::function<void(std::span<const std::uintptr_t>)> asked_;
  Mover mover_;
  std::atomic<std::uint64_t> at_intervals_{0}, waited_for_{0};  ///< bytes
};

}  // namespace lbhm
