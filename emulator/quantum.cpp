#include "emulator/quantum.h"

#include <algorithm>

namespace lbhm::emulator {
Quantum::Quantum(const MachineDescription& machine, PageMap& pages, std::chrono::milliseconds patience)
    : tier_count_(machine.topology.tiers.size()),
      length_(machine.quantum),
      patience_(patience),
      pages_(pages),
      end_(machine.quantum) {}

void Quantum::add(Member& member) {
  const Lock lock(lock_);
  members_.push_back(&member);
  std::ranges::sort(members_, {}, &Member::number);
  if (member.is(MemberState::running)) ++running_;
}

void Quantum::set_state(Member& member, MemberState state) {
  running_ -= member.is(MemberState::running);
  ordered_.fetch_sub(member.is(MemberState::ordered), std::memory_order_relaxed);
  member.state.store(state, std::memory_order_relaxed);
  running_ += state == MemberState::running;
  ordered_.fetch_add(state == MemberState::ordered, std::memory_order_relaxed);
}

void Quantum::take(Member& member, const Account& account) {
  member.advance_to(account.clock);
  for (std::size_t tier = 0; tier < maximum_tiers; ++tier) member.demand[tier] += account.demand[tier];
}

void Quantum::run(Member& member, Picoseconds clock) {
  const Lock lock(lock_);
  member.advance_to(clock);
  member.start = std::max(member.start, clock);
  if (member.is(MemberState::away)) set_state(member, MemberState::running);
}

void Quantum::leave(Member& member, const Account& account) {
  const Lock lock(lock_);
  take(member, account);
  if (member.is(MemberState::outside)) return settle_alone(member);
  if (inside_ == &member) inside_ = nullptr;
  set_state(member, MemberState::away);
  go_on();
}

void Quantum::boundary(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  if (!member.is(MemberState::running)) return settle_alone(member);
  set_state(member, MemberState::boundary);
  wait_for_close(lock);
}

void Quantum::arrive(Member& member, const Account& account, bool joining) {
  Lock lock(lock_);
  take(member, account);
  Team& team = *member.team;
  if (team.arrived == 0) team.joining = joining;
  if (!member.is(MemberState::running)) {
    settle_alone(member);
    return arrived(member);
  }
  if (inside_ == &member) inside_ = nullptr;
  set_state(member, MemberState::arriving);
  wait_for_close(lock);
}

void Quantum::wait_for_close(Lock& lock) {
  const std::uint32_t seen = closed_.value();
  go_on();
  wait(lock, closed_, seen);
}

void Quantum::wait(Lock& lock, const Gate& gate, std::uint32_t seen) {
  lock.unlock();
  while (gate.value() == seen) {
    const std::uint64_t before = progress_.load(std::memory_order_relaxed);
    if (gate.wait(seen, patience_)) return;
    const Lock again(lock_);
    if (gate.value() == seen && progress_.load(std::memory_order_relaxed) == before) drop_stragglers();
  }
}

void Quantum::drop_stragglers() {
  bool dropped = false;
  for (Member* member : members_) {
    if (!member->is(MemberState::running) && inside_ != member) continue;
    if (inside_ == member) inside_ = nullptr;
    if (member->is(MemberState::running)) set_state(*member, MemberState::away);
    dropped = true;
  }
  if (dropped) lost_patience_.store(true, std::memory_order_relaxed);
  go_on();
}

void Quantum::go_on() {
  give_turn();
  if (running_ > 0) return;
  const auto waits = [](const Member* m) { return m->is(MemberState::boundary) || m->is(MemberState::arriving); };
  if (std::ranges::any_of(members_, waits)) close();
}

}  // namespace lbhm::emulator
