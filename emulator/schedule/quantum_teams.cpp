// Teams in virtual time: how they begin, how they end, and how their barriers open.
#include <algorithm>

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
    if (inside_ == lane) inside_ = nullptr;
    if (!lane->is(MemberState::outside)) set_state(*lane, MemberState::away);
    lane->team = nullptr;
  }
  team.forker->team = team.parent;
  team.forker->advance_to(latest);
  if (team.forker->is(MemberState::away)) set_state(*team.forker, MemberState::running);
  go_on();
}

bool Quantum::arrive(Member& member, const Account& account, bool joining) {
  Lock lock(lock_);
  take(member, account);
  if (inside_ == &member) inside_ = nullptr;
  forget_call(member);
  Team& team = *member.team;
  if (team.held == 0) team.joining = joining;
  if (member.is(MemberState::outside)) {  // only the OpenMP runtime's own barrier holds it
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
  const Lock again(lock_);
  return member.called;
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
  for (Member* lane : team.lanes) {
    const bool dismissed = team.joining && lane != team.forker;
    if (!dismissed) {
      lane->advance_to(latest);
      lane->start = latest;
    }
    if (lane->is(MemberState::outside)) continue;
    set_state(*lane, dismissed ? MemberState::away : MemberState::running);
    lane->gate.open();
  }
}

}  // namespace lbhm::emulator
