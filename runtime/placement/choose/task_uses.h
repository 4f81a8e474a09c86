// From what each lane did to times of tasks: what balanced() goes by.
#pragma once

#include <cstdint>
#include <vector>

#include "model/worth.h"
#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {

struct TaskUse {
  std::uint32_t task = 0;
  ObjectUse use;  ///< of one lane
};

struct TaskUses {
  std::vector<Nanoseconds> phases;          ///< what each took with all data in the slowest tier
  std::vector<std::uint32_t> phase_of;      ///< by task
  std::vector<std::vector<TaskUse>> units;  ///< by unit
  std::vector<TaskUse> elsewhere;           ///< at no unit: in the slowest tier
  std::vector<MemoryFigures> lane, shared;  ///< by tier: as one lane alone has it, and all of them together
  Bytes line;
};

/// Fills `saves` of the units. -> the tasks: those of `phase_of`, then one a phase, which is its memory, with a phase
/// of its own: the two times are added up.
///
/// A lane waits as Eq. 1 says (H2M, section III-D1), but no longer than its phase: then its waits overlapped, and what
/// it saves is less by as much. The memory needs what Eq. 1 says of all accesses with R = 1. The share u of the phase
/// for which the slowest memory is busy is time that lanes share: whoever has less to ask of it helps all of them. 1 -
/// u is each lane's own. What neither explains is the same for all lanes. That u is the weight is an assumption: a
/// queue's wait grows with it.
std::vector<Task> add_savings(const TaskUses& uses, std::vector<PhasedUnit>& units);

}  // namespace lbhm::choose
