// Turns: among the cores that wait for one, the earliest in virtual time goes first. What cores decide together
// (dynamic schedules, mutexes, explicit tasks) is decided in turns, and so depends on virtual time alone.
#include <tuple>

#include "emulator/schedule/quantum.h"

namespace lbhm::emulator {
namespace {

auto rank(const Member& member) { return std::tuple(member.clock.load(std::memory_order_relaxed), member.number); }

}  // namespace

void Quantum::take_turn(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  while (in_step(member) && member.clock.load(std::memory_order_relaxed) >= end()) {
    set_state(member, MemberState::boundary);
    wait_for_close(lock);
    lock.lock();
  }
  if (!in_step(member)) return;
  const std::uint32_t seen = member.gate.value();
  set_state(member, MemberState::ordered);
  go_on();
  if (inside_ != &member) wait(lock, member.gate, seen);
}

void Quantum::end_turn(Member& member) {
  const Lock lock(lock_);
  if (inside_ != &member) return;
  forget_call(member);  // not before it had its turn: nobody else is called for what it may take
  inside_ = nullptr;
  go_on();
}

void Quantum::sleep(Member& member) {
  Lock lock(lock_);
  if (inside_ != &member) return;  // out of step
  forget_call(member);
  inside_ = nullptr;
  const std::uint32_t seen = member.gate.value();
  set_state(member, MemberState::asleep);
  go_on();
  wait(lock, member.gate, seen);
}

void Quantum::wake(Member& member, Picoseconds clock) {
  const Lock lock(lock_);
  if (!member.is(MemberState::asleep)) return;
  member.advance_to(clock);
  member.start = std::max(member.start, clock);
  set_state(member, MemberState::running);
  member.gate.open();
}

void Quantum::publish(Member& member, Picoseconds clock) {
  member.advance_to(clock);
  if (ordered_.load(std::memory_order_relaxed) == 0 || !in_step(member)) return;
  const Lock lock(lock_);
  go_on();
}

Member* Quantum::next_in_order() const {
  Member* first = nullptr;
  for (Member* member : members_) {
    const bool waits = member->is(MemberState::ordered) || (member->is(MemberState::arriving) && !member->looked);
    if (waits && (first == nullptr || rank(*member) < rank(*first))) first = member;
  }
  if (first == nullptr) return nullptr;
  for (const Member* member : members_) {
    if (in_step(*member) && rank(*member) < rank(*first)) return nullptr;
  }
  return first;
}

void Quantum::give_turn() {
  while (inside_ == nullptr && ordered_.load(std::memory_order_relaxed) > 0) {
    Member* next = next_in_order();
    if (next == nullptr) return;
    if (next->is(MemberState::arriving)) {
      look_for_task(*next);
      continue;
    }
    inside_ = next;
    set_state(*next, MemberState::running);
    next->gate.open();
  }
}

}  // namespace lbhm::emulator
