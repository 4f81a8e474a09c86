// Door of runtime/placement/choose: which unit belongs in which tier, under the capacities of the tiers.
//
// Source: Klinkenberg et al.: Phase-based Data Placement Optimization in Heterogeneous Memory, CLUSTER '24 ("H2M"),
// section III-D; for hotset and thermos Olson et al.: Online Application Guidance for Heterogeneous Memory Systems, ACM
// TACO 2022 ("SICM"), section 3.2.1.
//
// Words:
//   unit     what is placed as a whole: an allocation.
//   worth    time that a unit saves in a tier, against the slowest tier; below 0 it is slower there.
//   phase    part of the program at whose begin units may move.
//   task     one of those that a phase waits for: a lane, or a memory that serves them all.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm::choose {

/// By task and tier, against the slowest tier; what is missing is 0.
using Savings = std::map<std::uint32_t, std::vector<Nanoseconds>>;

struct Unit {
  Bytes bytes;
  std::vector<Nanoseconds> worth;   ///< by tier; what is missing is 0
  Nanoseconds born, dies;           ///< it is there from the one until just before the other
  TierId tier = no_tier;            ///< where it is; no_tier: not allocated yet, so it need not move
  std::vector<Nanoseconds> move{};  ///< what moving it from there to each tier takes; what is missing is 0
  TierId fixed = no_tier;           ///< it is there, whatever would be better: its room is taken before all others'
  Savings saves{};                  ///< what it is worth to each task: balanced() goes by it in place of `worth`
};

struct Task {
  std::uint32_t phase = 0;  ///< which ends when the last of its tasks does
  Nanoseconds time;         ///< with all units in the slowest tier
};

struct Problem {
  std::vector<Unit> units;
  std::vector<Bytes> capacities;  ///< by tier; the slowest tier takes what is left and is not asked
  Bytes page{4096};               ///< units take whole pages
  std::vector<Task> tasks{};
};

struct Choice {
  std::vector<TierId> tiers;  ///< by unit
  bool exact = true;          ///< false: a knapsack was too hard, and its best solution so far was taken
};

/// Each unit goes to the fastest tier that has room for all of it when it is born; units of one birth in their order.
Choice first_come(const Problem& problem);

/// The greatest worth less the moves, as if all units were there at one time: Eq. 3 to 6. With more than two tiers one
/// after the other, each against the next one (section III-D5).
Choice optimum(const Problem& problem);

/// The same with the room that units leave when they die: Algorithm 1. Units stay where they are born.
Choice by_lifetimes(const Problem& problem);

/// The earliest end of all phases, each of its last task: budgets by task (Merchandiser, section 6), of whole units.
///
/// A unit is worth what it saves each task times that task's weight. by_lifetimes() chooses with even weights first,
/// then again and again, with more weight on tasks that ended last so far (multiplicative weights: Arora, Hazan, Kale,
/// Theory of Computing 2012). The choice with the earliest end of all these counts, so it is never later than that of
/// the first.
Choice balanced(const Problem& problem);

/// The sum over phases of the time of the last task.
Nanoseconds end_of(const Problem& problem, const Choice& choice);

/// The units with the most worth for their bytes until they are just past the capacity: over by one unit at most
/// (SICM's hotset). With more than two tiers one after the other, here and in thermos.
Choice hotset(const Problem& problem);

/// The same, but a unit that does not fit any more is taken only if it is worth more than those that it may displace
/// (SICM's thermos): a part of it will be in that tier.
Choice thermos(const Problem& problem);

/// A unit over the phases of a run, which are numbered from 0.
struct PhasedUnit {
  Bytes bytes;
  std::uint32_t first = 0, last = 0;                          ///< phases in which it is born and in which it dies
  std::map<std::uint32_t, std::vector<Nanoseconds>> worth{};  ///< by phase and tier
  Savings saves{};                                            ///< see Unit
  TierId begins_in = no_tier;                                 ///< where it is born, whatever would be better
  bool stays = false;                                         ///< it never moves
};

struct PhasedProblem {
  std::vector<PhasedUnit> units;
  std::vector<Bytes> capacities;
  std::vector<std::vector<Nanoseconds>> page_move;  ///< [from][to]; what is missing is 0
  Bytes page{4096};
  std::uint32_t phases = 1;
  std::uint32_t horizon = 1;  ///< P: phases that a decision looks at, the one that begins included
};

struct UnitMove {
  std::uint32_t phase = 0;  ///< at whose begin
  std::size_t unit = 0;
  TierId from, to;
};

struct PhasedChoice {
  std::vector<TierId> births;   ///< by unit
  std::vector<UnitMove> moves;  ///< by phase; within one those that make room first
  bool exact = true;
};

/// At the begin of each phase the optimum for the next `horizon` phases: of the units that are there by then or that
/// are born in one of them, with what moving costs (section III-D4, Eq. 6).
PhasedChoice next_phases(const PhasedProblem& problem);

/// 0/1 knapsack.
struct Item {
  std::uint64_t weight = 0;
  double value = 0;
};
struct Packed {
  std::vector<bool> taken;
  double value = 0;
  double bound = 0;  ///< no packing is worth more; `value` itself if that is proven
};
/// Exact, unless there are more than `most_states`: so it is where values grow with weights but for a constant. Items
/// that are worth nothing stay out. All weights together are below 2^63.
Packed knapsack(std::span<const Item> items, std::uint64_t capacity, std::size_t most_states = std::size_t{1} << 23);

}  // namespace lbhm::choose
