#include "emulator/schedule/quantum.h"

#include <algorithm>
#include <tuple>

#include "emulator/schedule/straggler.h"

namespace lbhm::emulator {
namespace {

bool has_alarm(const Member& member) { return member.is(MemberState::asleep) && member.alarm != never; }

auto rank(const Member& member) {
  const Picoseconds clock = member.clock.load(std::memory_order_relaxed);
  return std::tuple(has_alarm(member) ? std::max(clock, member.alarm) : clock, member.number);
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

void Quantum::wait(Lock& lock, const Gate& gate, std::uint32_t seen) {
  std::chrono::milliseconds limit = patience();
  lock.unlock();
  while (gate.value() == seen) {
    const std::uint64_t before = progress_.load(std::memory_order_relaxed);
    if (!waits_in_vain(gate, seen, limit)) return;
    const Lock again(lock_);
    if (gate.value() == seen && progress_.load(std::memory_order_relaxed) == before) drop_stragglers();
    limit = patience();
  }
}

/// False: the gate has opened. After a second it says whom it waits for, once: the rest would be silence.
bool Quantum::waits_in_vain(const Gate& gate, std::uint32_t seen, std::chrono::milliseconds limit) {
  constexpr std::chrono::seconds silence{1};
  if (limit <= silence || said_.load(std::memory_order_relaxed)) return !gate.wait(seen, limit);
  const std::uint64_t before = progress_.load(std::memory_order_relaxed);
  if (gate.wait(seen, silence)) return false;
  Lock lock(lock_);
  const Member* late = progress_.load(std::memory_order_relaxed) == before ? straggler() : nullptr;
  const void* const place = late == nullptr ? nullptr : late->place.load(std::memory_order_relaxed);
  lock.unlock();
  if (late != nullptr && !said_.exchange(true)) say_others_wait(place, silence.count());
  return !gate.wait(seen, limit - silence);
}

/// The first one that runs, or has its turn.
const Member* Quantum::straggler() const {
  const auto found =
      std::ranges::find_if(members_, [this](const Member* m) { return m->is(MemberState::running) || inside_ == m; });
  return found == members_.end() ? nullptr : *found;
}

/// Short if all who run have made the others wait before, and shorter than at first if anybody has: a program that
/// spins once spins often.
std::chrono::milliseconds Quantum::patience() const {
  constexpr int shortened = 100;
  const auto known = [](const Member* m) { return !m->is(MemberState::running) || m->drops > 0; };
  if (running_ > 0 && std::ranges::all_of(members_, known)) return patience_ / shortened;
  return lost_patience() ? patience_ / 10 : patience_;
}

void Quantum::drop_stragglers() {
  bool dropped = false;
  if (const Member* first = straggler(); first != nullptr && !lost_patience())
    place_of_straggler_ = first->place.load();
  for (Member* member : members_) {
    if (!member->is(MemberState::running) && inside_ != member) continue;
    lose_turn(*member);
    if (member->is(MemberState::running)) set_state(*member, MemberState::away);
    member->dropped = true;
    ++member->drops;
    dropped = true;
  }
  if (dropped) lost_patience_.store(true, std::memory_order_relaxed);
  if (!dropped && is_stuck()) {
    deadlocked_.store(true, std::memory_order_relaxed);
    return let_all_go();
  }
  go_on();
}

/// Nobody runs, nobody is awaited, and yet somebody waits.
bool Quantum::is_stuck() const {
  return is_idle() && std::ranges::none_of(members_, [](const Member* m) {
           return m->dropped || has_alarm(*m) || (m->is(MemberState::asleep) && m->from_outside);
         });
}

void Quantum::go_on() {
  if (closing_) return;  // who closes it goes on
  give_turn();
  if (running_ > 0) return;
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
  member.gate.open();
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
                       has_alarm(*member);
    if (waits && (first == nullptr || rank(*member) < rank(*first))) first = member;
  }
  if (first == nullptr) return nullptr;
  for (const Member* member : members_) {
    const bool comes = in_step(*member) || (has_alarm(*first) && member->is(MemberState::boundary));
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
    if (has_alarm(*next)) {
      rouse(*next, next->alarm);
    } else {
      set_state(*next, MemberState::running);
      next->gate.open();
    }
  }
}

}  // namespace lbhm::emulator
