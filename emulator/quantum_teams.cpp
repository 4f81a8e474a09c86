// Teams in virtual time: how they begin and end, and tasks that run inside their barriers.
#include <algorithm>

#include "emulator/quantum.h"

namespace lbhm::emulator {

Picoseconds Team::latest_clock() const {
  Picoseconds latest = fork_clock;
  for (const Member* lane : lanes) latest = std::max(latest, lane->clock.load(std::memory_order_relaxed));
  return latest;
}

void Quantum::tasks_in_barrier(Member& member) {
  const Lock lock(lock_);
  Team& team = *member.team;
  if (team.tasks_in_barrier) return;
  team.tasks_in_barrier = true;
  if (team.arrived == 0) {  // opened already: take it back
    for (Member* lane : team.lanes) {
      if (lane->is(MemberState::running)) set_state(*lane, MemberState::away);
    }
  }
  go_on();
}

void Quantum::barrier_over(Member& member) {
  const Lock lock(lock_);
  Team& team = *member.team;
  if (team.tasks_in_barrier && team.arrived == 0) {
    team.tasks_in_barrier = false;
    release(team);
  }
  if (member.is(MemberState::away)) set_state(member, MemberState::running);
}

void Quantum::open_team(Team& team, const PrivateVector<Member*>& lanes) {
  const Lock lock(lock_);
  if (!team.lanes.empty()) return;
  team.lanes = lanes;
  for (Member* lane : lanes) {
    lane->team = &team;
    if (lane == team.forker) continue;
    lane->advance_to(team.fork_clock);
    lane->start = team.fork_clock;
    if (team.forker->is(MemberState::outside)) {
      set_state(*lane, MemberState::outside);
    } else {
      set_state(*lane, MemberState::running);
    }
  }
}

void Quantum::close_team(Team& team, bool forker_runs) {
  const Lock lock(lock_);
  const Picoseconds latest = team.latest_clock();
  for (Member* lane : team.lanes) {
    if (lane == team.forker) continue;
    if (inside_ == lane) inside_ = nullptr;
    if (!lane->is(MemberState::outside)) set_state(*lane, MemberState::away);
    lane->team = nullptr;
  }
  team.forker->team = team.parent;
  team.forker->advance_to(latest);
  if (forker_runs && team.forker->is(MemberState::away)) set_state(*team.forker, MemberState::running);
  go_on();
}

}  // namespace lbhm::emulator
