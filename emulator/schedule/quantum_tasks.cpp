// Lanes at a barrier and the explicit tasks of their team: who is called for which, and when.
#include "emulator/schedule/quantum.h"

namespace lbhm::emulator {

/// The turn of a lane that arrived at a barrier.
void Quantum::look_for_task(Member& member) {
  if (member.team->ready > member.team->called) {
    call(member, 0);
  } else {
    member.looked = true;
    ordered_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void Quantum::call(Member& member, Picoseconds clock) {
  if (member.is(MemberState::held)) --member.team->held;
  member.called = true;
  ++member.team->called;
  member.advance_to(clock);
  member.start = std::max(member.start, clock);
  set_state(member, MemberState::running);
  member.gate.open();
}

void Quantum::forget_call(Member& member) {
  if (!member.called) return;
  member.called = false;
  --member.team->called;
}

void Quantum::tasks_changed(Team& team, int ready, int unfinished, Picoseconds clock) {
  const Lock lock(lock_);
  team.ready += ready;
  team.unfinished += unfinished;
  call_lanes(team, clock);
  if (team.held > 0) open_if_complete(team);
}

/// The lanes that have waited longest go first.
void Quantum::call_lanes(Team& team, Picoseconds clock) {
  while (team.ready > team.called) {
    Member* first = nullptr;
    for (Member* lane : team.lanes) {
      if (lane->team != &team) continue;  // it waits in a team that it forked
      if (!lane->is(MemberState::held) && !(lane->is(MemberState::arriving) && lane->looked)) continue;
      if (first == nullptr ||
          lane->clock.load(std::memory_order_relaxed) < first->clock.load(std::memory_order_relaxed))
        first = lane;
    }
    if (first == nullptr) return;
    call(*first, clock);
  }
}

}  // namespace lbhm::emulator
