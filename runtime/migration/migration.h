// Door of runtime/migration: carries a plan out.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// A managed page range that may be put out of fast memory, and how much it is expected to be used.
struct EvictionCandidate {
  std::uintptr_t address = 0;
  Bytes bytes;
  AccessCount per_page;  ///< expected accesses a page; the smallest go first
};

struct MigrationOptions {
  std::size_t batch_pages = 4096;  ///< pages a call of Machine::move
  unsigned retries = 3;            ///< for pages that were busy
  /// Real time after which no further batch begins; 0: none. A batch takes milliseconds.
  std::chrono::nanoseconds most_time{0};
  /// Tiers that pages may leave for; empty: all.
  std::span<const TierId> tiers{};
  /// Told of the pages that the machine is asked to move, evictions included; null: nobody is.
  const std::function<void(std::span<const std::uintptr_t>)>* asked = nullptr;
};

/// Moves the pages of `plan` to their tiers, in order. When a tier is full, pages of `candidates` that are in it and
/// not in the plan leave it for the next slower tier with room, least used first. Pages of the plan never leave for
/// each other; others leave even if they are used more: load balance, not heat, decided what the plan wants. Pages that
/// stay busy, are denied or do not fit stay where they are. Sleeps at most about 1 ms before a retry. Never fails: the
/// report says what happened. What the time did not suffice for goes to `left`, in order, if it is not null.
MoveReport carry_out(Machine& machine, const MigrationPlan& plan, std::span<const EvictionCandidate> candidates,
                     const MigrationOptions& options = {}, MigrationPlan* left = nullptr);

}  // namespace lbhm
