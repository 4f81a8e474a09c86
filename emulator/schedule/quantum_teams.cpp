// Teams in virtual time: how they begin and end, how their barriers open, and who is called for which explicit task.
#include <algorithm>
#include <utility>

#include "emulator/schedule/quantum.h"

namespace lbhm::emulator {

Picoseconds Team::latest_clock() const {
  Picoseconds latest = fork_clock;
  for (const Member* lane : lanes) latest = std::max(latest, lane->clock.load(std::memory_order_relaxed));
  return latest;
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
    set_state(*lane, team.forker->is(MemberState::outside) ? MemberState::outside : MemberState::running);
  }
}

void Quantum::close_team(Team& team) {
  const Lock lock(lock_);
  const Picoseconds latest = team.latest_clock();
  for (Member* lane : team.lanes) {
    if (lane == team.forker) continue;
    lose_turn(*lane);
    if (!lane->is(MemberState::outside)) set_state(*lane, MemberState::away);
    lane->team = nullptr;
    lane->thread.store(0, std::memory_order_relaxed);
  }
  team.forker->team = team.parent;
  team.forker->advance_to(latest);
  if (team.forker->is(MemberState::away)) set_state(*team.forker, MemberState::running);
  go_on();
}

bool Quantum::arrive(Member& member, const Account& account, Wait kind) {
  Lock lock(lock_);
  take(member, account);
  lose_turn(member);
  forget_call(member);
  Team& team = *member.team;
  if (team.held == 0) team.joining = kind == Wait::join;
  member.passed = false;
  team.alone &= kind == Wait::team_barrier;
  if (member.is(MemberState::outside)) {  // only the OpenMP runtime's own barrier holds it
    team.alone = false;
    settle_alone(member);
    if (++team.held == team.lanes.size()) release(team);
    return false;
  }
  const std::uint32_t seen = member.gate.value();
  if (member.is(MemberState::running)) {
    set_state(member, MemberState::arriving);
  } else {
    settle_alone(member);
    hold(member);
  }
  go_on();
  wait(lock, member.gate, seen);
  return member.called;  // nobody calls a lane that runs
}

void Quantum::hold(Member& member) {
  set_state(member, MemberState::held);
  ++member.team->held;
  open_if_complete(*member.team);
}

void Quantum::open_if_complete(Team& team) {
  if (team.held == team.lanes.size() && team.unfinished == 0) release(team);
}

void Quantum::release(Team& team) {
  const Picoseconds latest = team.latest_clock();
  team.held = 0;
  const bool alone = std::exchange(team.alone, true);
  for (Member* lane : team.lanes) {
    const bool dismissed = team.joining && lane != team.forker;
    if (!dismissed) {
      lane->advance_to(latest);
      lane->start = latest;
    }
    if (lane->is(MemberState::outside)) continue;
    lane->passed = alone;
    set_state(*lane, dismissed ? MemberState::away : MemberState::running);
    lock_.open(lane->gate);
  }
}

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
  lock_.open(member.gate);
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
