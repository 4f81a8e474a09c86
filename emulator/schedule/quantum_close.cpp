// What happens when a quantum closes: transfers are served, pages handed out, barriers opened.
#include <algorithm>

#include "emulator/schedule/quantum.h"

namespace lbhm::emulator {

void Quantum::close() {
  settle_all();
  pages_.end_quantum();
  set_bytes();
  const bool gave_lock_back = run_duties();
  for (Member* member : members_) {
    if (member->is(MemberState::boundary)) set_state(*member, MemberState::running);
  }
  hold_arrived();
  begin_next();
  lock_.open(closed_);
  if (gave_lock_back || (running_ == 0 && ordered_.load(std::memory_order_relaxed) > 0)) go_on();
}

void Quantum::set_at_close(const Member& member, std::atomic<std::uint8_t>& byte) {
  const Lock lock(lock_);
  if (in_step(member) && member.team != nullptr)
    bytes_to_set_.push_back(&byte);
  else
    byte.store(1);
}

void Quantum::set_bytes() {
  for (std::atomic<std::uint8_t>* byte : bytes_to_set_) byte->store(1, std::memory_order_release);
  bytes_to_set_.clear();
}

Picoseconds Quantum::reached() const {
  Picoseconds earliest = never;
  for (const Member* member : members_) {
    const bool waits =
        member->is(MemberState::boundary) || member->is(MemberState::arriving) || member->is(MemberState::ordered);
    if (waits) earliest = std::min(earliest, member->clock.load(std::memory_order_relaxed));
  }
  return earliest == never ? start() : std::max(start(), earliest);
}

/// Before anybody goes on: what daemons move is moved for all cores at the same point of their clocks.
bool Quantum::run_duties() {
  const Picoseconds now = reached();
  if (duties_ == nullptr || !duties_->due(now)) return false;
  closing_ = true;
  lock_.unlock();
  duties_->run(now);
  lock_.lock();
  closing_ = false;
  pages_.flushes().publish();
  return true;
}

void Quantum::give_up() {
  const Lock lock(lock_);
  let_all_go();
}

void Quantum::let_all_go() {
  for (Member* member : members_) {
    lose_turn(*member);
    set_state(*member, MemberState::outside);
    lock_.open(member->gate);
  }
  set_bytes();
  lock_.open(closed_);
}

/// What others ask for before the lane's transfers are served delays it: it is at the barrier for good when they cannot
/// any more, but for what they do within a quantum.
void Quantum::hold_arrived() {
  const Picoseconds earliest = earliest_clock();
  const Picoseconds final_by = earliest == never ? never : earliest + length_;
  for (Member* member : members_) {
    if (member->is(MemberState::arriving) && member->clock.load(std::memory_order_relaxed) <= final_by) hold(*member);
  }
}

/// Of the cores that go on without waiting for a barrier.
Picoseconds Quantum::earliest_clock() const {
  Picoseconds earliest = never;
  for (const Member* member : members_) {
    if (!member->is(MemberState::running) && !member->is(MemberState::ordered)) continue;
    earliest = std::min(earliest, member->clock.load(std::memory_order_relaxed));
  }
  return earliest;
}

void Quantum::begin_next() {
  Picoseconds earliest = earliest_clock();
  if (earliest == never) return;
  earliest = pages_.node().agree(earliest);
  if (earliest <= start()) return;
  serve(earliest - start());
  start_.store(earliest, std::memory_order_release);
  end_.store(std::max(end(), earliest + length_), std::memory_order_release);
}

/// Time goes on to the next quantum's start: the memory serves what it can until then.
void Quantum::serve(Picoseconds duration) {
  PrivateVector<Picoseconds> left(members_.size());
  for (std::size_t tier = 0; tier < tier_count_; ++tier) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = members_[i]->backlog[tier];
    serve_tier(left, duration);
    for (std::size_t i = 0; i < left.size(); ++i) members_[i]->backlog[tier] = left[i];
  }
}

void Quantum::settle_all() {
  PrivateVector<Member*> users;
  for (Member* member : members_) {
    // Who waits takes part with what it asked for before.
    if (member->is(MemberState::outside)) continue;
    if (member->demand == Demand{} && std::ranges::max(member->backlog) == 0) continue;
    users.push_back(member);
  }
  const Demand all = note_load(users);
  PrivateVector<Picoseconds> served(users.size(), 0);
  PrivateVector<Picoseconds> alone(users.size(), 0);
  PrivateVector<Picoseconds> of_tier(users.size());
  for (std::size_t tier = 0; tier < tier_count_; ++tier) {
    const PartOfBusy part(all[tier], pages_.load().busy_with(tier, all[tier]));
    for (std::size_t i = 0; i < users.size(); ++i) {
      const Picoseconds own = part.of(users[i]->demand[tier]);
      alone[i] = std::max(alone[i], own);
      of_tier[i] = users[i]->backlog[tier] += own;
    }
    share_tier(of_tier);
    for (std::size_t i = 0; i < users.size(); ++i) served[i] = std::max(served[i], of_tier[i]);
  }
  for (std::size_t i = 0; i < users.size(); ++i) {
    // Who went away and asked for nothing since does not wait: what it left under way only takes time from others.
    if (users[i]->is(MemberState::away) && users[i]->demand == Demand{}) continue;
    settle(*users[i], start() + served[i], alone[i]);
  }
}

Demand Quantum::note_load(const PrivateVector<Member*>& users) {
  Demand all{};
  Picoseconds now = start();
  for (const Member* member : users) {
    for (std::size_t tier = 0; tier < tier_count_; ++tier) all[tier] += member->demand[tier];
    if (member->is(MemberState::daemon)) continue;  // a long copy takes its clock far ahead of everybody's
    now = std::max(now, member->clock.load(std::memory_order_relaxed));
  }
  pages_.load().settled(all, now);
  return all;
}

void Quantum::settle_alone(Member& member) {
  Picoseconds alone = 0;
  for (std::size_t tier = 0; tier < tier_count_; ++tier)
    alone = std::max(alone, pages_.load().busy_with(tier, member.demand[tier]));
  settle(member, 0, alone);
}

void Quantum::settle(Member& member, Picoseconds served, Picoseconds alone) {
  const Picoseconds now = member.clock.load(std::memory_order_relaxed);
  const Picoseconds done = std::max(served, member.start + alone);
  if (done > now) {
    member.bandwidth_wait += done - now;
    member.advance_to(done);
  }
  member.demand = {};
  member.start = std::max(now, done);
}

}  // namespace lbhm::emulator
