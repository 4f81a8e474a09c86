#include "emulator/schedule/quantum.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lbhm::emulator {
namespace {

auto rank(const Member& member) {
  const Picoseconds clock = member.clock.load(std::memory_order_relaxed);
  return std::tuple(member.has_alarm() ? std::max(clock, member.alarm) : clock, member.number);
}

}  // namespace

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

void Quantum::remove(Member& member) {
  const Lock lock(lock_);
  set_state(member, MemberState::outside);
  std::erase(members_, &member);
}

void Quantum::set_state(Member& member, MemberState state) {
  const auto waits_for_turn = [&member](MemberState s) {
    return s == MemberState::ordered || (s == MemberState::arriving && !member.looked) ||
           (s == MemberState::asleep && member.alarm != never);
  };
  running_ -= member.is(MemberState::running);
  if (waits_for_turn(member.state.load(std::memory_order_relaxed))) ordered_.fetch_sub(1, std::memory_order_relaxed);
  if (state != MemberState::arriving) member.looked = false;
  if (std::exchange(member.in_kernel, false)) --in_kernel_;
  member.state.store(state, std::memory_order_relaxed);
  running_ += state == MemberState::running;
  if (waits_for_turn(state)) ordered_.fetch_add(1, std::memory_order_relaxed);
}

void Quantum::take(Member& member, const Account& account) {
  member.advance_to(account.clock);
  for (std::size_t tier = 0; tier < maximum_tiers; ++tier) member.demand[tier] += account.demand[tier];
}

void Quantum::run(Member& member, Picoseconds clock) {
  Lock lock(lock_);
  if (member.in_kernel) await_close_in_kernel(lock, member);
  while (closing_ && member.is(MemberState::away)) {
    const std::uint32_t seen = closed_.value();
    lock.unlock();
    closed_.wait(seen, patience_);
    lock.lock();
  }
  member.advance_to(clock);
  member.start = std::max(member.start, clock);
  if (!member.is(MemberState::away)) return;
  member.dropped = false;
  set_state(member, MemberState::running);
}

void Quantum::leave(Member& member, const Account& account) {
  const Lock lock(lock_);
  take(member, account);
  if (member.is(MemberState::outside)) return settle_alone(member);
  lose_turn(member);
  set_state(member, MemberState::away);
  go_on();
}

void Quantum::boundary(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  if (member.is(MemberState::daemon)) return;
  if (!member.is(MemberState::running)) return settle_alone(member);
  if (member.keeps_turn_until > 0) lose_turn(member);
  set_state(member, MemberState::boundary);
  wait_for_close(lock);
}

void Quantum::wait_for_close(Lock& lock) {
  const std::uint32_t seen = closed_.value();
  go_on();
  wait(lock, closed_, seen);
}

void Quantum::go_on() {
  if (closing_) return;  // who closes it goes on
  give_turn();
  if (running_ > 0 || (in_kernel_ > 0 && take_back_woken())) return;
  const auto waits = [](const Member* m) { return m->is(MemberState::boundary) || m->is(MemberState::arriving); };
  if (std::ranges::any_of(members_, waits)) close();
}

// Turns: among the cores that wait for one, the earliest in virtual time goes first. What cores decide together
// (dynamic schedules, mutexes, explicit tasks) is decided in turns, and so depends on virtual time alone.

void Quantum::lose_turn(Member& member) {
  if (inside_ == &member) inside_ = nullptr;
  member.keeps_turn_until.store(0, std::memory_order_relaxed);
}

void Quantum::take_turn(Member& member, const Account& account, Picoseconds keep) {
  Lock lock(lock_);
  take(member, account);
  lose_turn(member);
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
  if (keep > 0 && in_step(member)) member.keeps_turn_until.store(member.clock + keep, std::memory_order_relaxed);
}

void Quantum::end_turn(Member& member) {
  if (keeps_turn(member, member.clock)) return;
  const Lock lock(lock_);
  if (inside_ != &member) return;
  forget_call(member);  // not before it had its turn: nobody else is called for what it may take
  lose_turn(member);
  go_on();
}

void Quantum::sleep(Member& member, const Sleep& until) {
  Lock lock(lock_);
  if (inside_ != &member) return;  // out of step
  forget_call(member);
  lose_turn(member);
  const std::uint32_t seen = member.gate.value();
  member.alarm = until.alarm;
  member.from_outside = until.from_outside;
  set_state(member, MemberState::asleep);
  go_on();
  if (!until.from_outside) return wait(lock, member.gate, seen);
  lock.unlock();
  wait_for_others(member, until, seen);
}

/// What others than cores bring comes in real time: the member looks now and then, not while a core has its turn, which
/// may be about to wake it.
void Quantum::wait_for_others(Member& member, const Sleep& until, std::uint32_t seen) {
  constexpr std::chrono::milliseconds longest{16};
  for (std::chrono::milliseconds pause{1}; !member.gate.wait(seen, pause); pause = std::min(2 * pause, longest)) {
    let_go_if_all_sleep();
    if (until.has_come != nullptr && !until.has_come(until.what)) continue;
    const Lock lock(lock_);
    if (!member.is(MemberState::asleep) || inside_ != nullptr || closing_) continue;
    if (until.has_come == nullptr && !is_idle()) continue;
    rouse(member, reached());
  }
}

/// Nobody is on the way.
bool Quantum::is_idle() const {
  return running_ == 0 && std::ranges::none_of(members_, [](const Member* m) {
           return m->is(MemberState::boundary) || m->is(MemberState::arriving) || m->is(MemberState::ordered);
         });
}

void Quantum::rouse(Member& member, Picoseconds clock) {
  member.advance_to(clock);
  member.start = std::max(member.start, clock);
  set_state(member, MemberState::running);
  lock_.open(member.gate);
}

void Quantum::wake(Member& member, Picoseconds clock) {
  const Lock lock(lock_);
  if (member.is(MemberState::asleep)) rouse(member, clock);
}

void Quantum::publish(Member& member, Picoseconds clock) {
  member.advance_to(clock);
  if (keeps_turn(member, clock)) return;
  if (member.keeps_turn_until.load(std::memory_order_relaxed) > 0) return end_turn(member);
  if (ordered_.load(std::memory_order_relaxed) == 0 || !in_step(member)) return;
  const Lock lock(lock_);
  go_on();
}

Member* Quantum::next_in_order() const {
  Member* first = nullptr;
  for (Member* member : members_) {
    const bool waits = member->is(MemberState::ordered) || (member->is(MemberState::arriving) && !member->looked) ||
                       member->has_alarm();
    if (waits && (first == nullptr || rank(*member) < rank(*first))) first = member;
  }
  if (first == nullptr) return nullptr;
  for (const Member* member : members_) {
    const bool comes = in_step(*member) || (first->has_alarm() && member->is(MemberState::boundary));
    if (comes && rank(*member) < rank(*first)) return nullptr;
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
    if (next->has_alarm()) {
      rouse(*next, next->alarm);
    } else {
      set_state(*next, MemberState::running);
      lock_.open(next->gate);
    }
  }
}

}  // namespace lbhm::emulator
