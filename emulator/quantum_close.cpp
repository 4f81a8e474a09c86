// What happens when a quantum closes: transfers are served, pages handed out, barriers opened.
#include <algorithm>

#include "emulator/quantum.h"

namespace lbhm::emulator {

void Quantum::close() {
  settle_all();
  pages_.end_quantum();
  for (Member* member : members_) {
    if (member->is(MemberState::boundary)) set_state(*member, MemberState::running);
    if (member->is(MemberState::arriving)) hold(*member);
  }
  begin_next();
  closed_.open();
  if (running_ == 0 && ordered_.load(std::memory_order_relaxed) > 0) go_on();
}

void Quantum::give_up() {
  const Lock lock(lock_);
  let_all_go();
}

void Quantum::let_all_go() {
  inside_ = nullptr;
  for (Member* member : members_) {
    set_state(*member, MemberState::outside);
    member->gate.open();
  }
  closed_.open();
}

void Quantum::begin_next() {
  Picoseconds earliest = never;
  for (const Member* member : members_) {
    if (!member->is(MemberState::running) && !member->is(MemberState::ordered)) continue;
    earliest = std::min(earliest, member->clock.load(std::memory_order_relaxed));
  }
  if (earliest == never) return;
  start_.store(std::max(start(), earliest), std::memory_order_release);
  end_.store(std::max(end(), earliest + length_), std::memory_order_release);
}

void Quantum::settle_all() {
  PrivateVector<Member*> users;
  for (Member* member : members_) {
    if (member->is(MemberState::outside)) continue;
    // Who waits takes part with what it asked for before.
    const bool waits =
        member->is(MemberState::away) || member->is(MemberState::held) || member->is(MemberState::asleep);
    if (waits && member->demand == Demand{}) continue;
    users.push_back(member);
  }
  note_load(users);
  PrivateVector<Demand> served(users.size());
  PrivateVector<Picoseconds> of_tier(users.size());
  for (std::size_t tier = 0; tier < tier_count_; ++tier) {
    for (std::size_t i = 0; i < users.size(); ++i) of_tier[i] = users[i]->demand[tier];
    share_tier(of_tier);
    for (std::size_t i = 0; i < users.size(); ++i) served[i][tier] = of_tier[i];
  }
  for (std::size_t i = 0; i < users.size(); ++i) settle(*users[i], served[i]);
}

void Quantum::note_load(const PrivateVector<Member*>& users) {
  Demand all{};
  Picoseconds now = start();
  for (const Member* member : users) {
    for (std::size_t tier = 0; tier < tier_count_; ++tier) all[tier] += member->demand[tier];
    now = std::max(now, member->clock.load(std::memory_order_relaxed));
  }
  pages_.load().settled(all, now);
}

void Quantum::settle_alone(Member& member) { settle(member, Demand(member.demand)); }

void Quantum::settle(Member& member, const Demand& served) {
  const Picoseconds now = member.clock.load(std::memory_order_relaxed);
  const Picoseconds done = member.start + *std::ranges::max_element(served);
  if (done > now) {
    member.bandwidth_wait += done - now;
    member.advance_to(done);
  }
  member.demand.fill(0);
  member.start = std::max(now, done);
}

}  // namespace lbhm::emulator
