// Ordered turns: among the cores that wait for one, the earliest in virtual time goes first. This makes dynamic
// schedules deterministic.
#include <tuple>

#include "emulator/quantum.h"

namespace lbhm::emulator {
namespace {

auto rank(const Member& member) { return std::tuple(member.clock.load(std::memory_order_relaxed), member.number); }

}  // namespace

void Quantum::take_turn(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  while (member.is(MemberState::running) && member.clock.load(std::memory_order_relaxed) >= end()) {
    set_state(member, MemberState::boundary);
    wait_for_close(lock);
    lock.lock();
  }
  if (!member.is(MemberState::running)) return;
  const std::uint32_t seen = member.turn.value();
  set_state(member, MemberState::ordered);
  go_on();
  wait(lock, member.turn, seen);
}

void Quantum::end_turn(Member& member) {
  const Lock lock(lock_);
  if (inside_ != &member) return;
  inside_ = nullptr;
  go_on();
}

void Quantum::publish(Member& member, Picoseconds clock) {
  member.advance_to(clock);
  if (ordered_.load(std::memory_order_relaxed) == 0 || !member.is(MemberState::running)) return;
  const Lock lock(lock_);
  go_on();
}

Member* Quantum::next_in_order() const {
  Member* first = nullptr;
  for (Member* member : members_) {
    if (member->is(MemberState::ordered) && (first == nullptr || rank(*member) < rank(*first))) first = member;
  }
  if (first == nullptr) return nullptr;
  for (const Member* member : members_) {
    if (member->is(MemberState::running) && rank(*member) < rank(*first)) return nullptr;
  }
  return first;
}

void Quantum::give_turn() {
  if (inside_ != nullptr || ordered_.load(std::memory_order_relaxed) == 0) return;
  inside_ = next_in_order();
  if (inside_ == nullptr) return;
  set_state(*inside_, MemberState::running);
  inside_->turn.open();
}

}  // namespace lbhm::emulator
