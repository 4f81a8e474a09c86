#include "emulator/quantum.h"

#include <algorithm>
#include <tuple>

namespace lbhm::emulator {
namespace {

bool is(const Member& member, MemberState state) { return member.state.load(std::memory_order_relaxed) == state; }

auto rank(const Member& member) { return std::tuple(member.clock.load(std::memory_order_relaxed), member.number); }

void advance(Member& member, Picoseconds clock) {
  if (member.clock.load(std::memory_order_relaxed) < clock) member.clock.store(clock, std::memory_order_relaxed);
}

}  // namespace

Picoseconds Team::latest_clock() const {
  Picoseconds latest = fork_clock;
  for (const Member* lane : lanes) latest = std::max(latest, lane->clock.load(std::memory_order_relaxed));
  return latest;
}

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
  if (is(member, MemberState::running)) ++running_;
}

void Quantum::set_state(Member& member, MemberState state) {
  running_ -= is(member, MemberState::running);
  ordered_.fetch_sub(is(member, MemberState::ordered), std::memory_order_relaxed);
  member.state.store(state, std::memory_order_relaxed);
  running_ += state == MemberState::running;
  ordered_.fetch_add(state == MemberState::ordered, std::memory_order_relaxed);
}

void Quantum::take(Member& member, const Account& account) {
  advance(member, account.clock);
  for (std::size_t tier = 0; tier < maximum_tiers; ++tier) member.demand[tier] += account.demand[tier];
}

void Quantum::run(Member& member, Picoseconds clock) {
  const Lock lock(lock_);
  advance(member, clock);
  member.start = std::max(member.start, clock);
  if (is(member, MemberState::away)) set_state(member, MemberState::running);
}

void Quantum::leave(Member& member, const Account& account) {
  const Lock lock(lock_);
  take(member, account);
  if (is(member, MemberState::outside)) return settle_alone(member);
  if (inside_ == &member) inside_ = nullptr;
  set_state(member, MemberState::away);
  go_on();
}

void Quantum::boundary(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  if (!is(member, MemberState::running)) return settle_alone(member);
  set_state(member, MemberState::boundary);
  wait_for_close(lock);
}

void Quantum::arrive(Member& member, const Account& account, bool joining) {
  Lock lock(lock_);
  take(member, account);
  Team& team = *member.team;
  if (team.arrived == 0) team.joining = joining;
  if (!is(member, MemberState::running)) {
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
    if (!is(*member, MemberState::running) && inside_ != member) continue;
    if (inside_ == member) inside_ = nullptr;
    if (is(*member, MemberState::running)) set_state(*member, MemberState::away);
    dropped = true;
  }
  if (dropped) lost_patience_.store(true, std::memory_order_relaxed);
  go_on();
}

void Quantum::take_turn(Member& member, const Account& account) {
  Lock lock(lock_);
  take(member, account);
  while (is(member, MemberState::running) && member.clock.load(std::memory_order_relaxed) >= end()) {
    set_state(member, MemberState::boundary);
    wait_for_close(lock);
    lock.lock();
  }
  if (!is(member, MemberState::running)) return;
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
  advance(member, clock);
  if (ordered_.load(std::memory_order_relaxed) == 0 || !is(member, MemberState::running)) return;
  const Lock lock(lock_);
  go_on();
}

Member* Quantum::next_in_order() const {
  Member* first = nullptr;
  for (Member* member : members_) {
    if (is(*member, MemberState::ordered) && (first == nullptr || rank(*member) < rank(*first))) first = member;
  }
  if (first == nullptr) return nullptr;
  for (const Member* member : members_) {
    if (is(*member, MemberState::running) && rank(*member) < rank(*first)) return nullptr;
  }
  return first;
}

void Quantum::go_on() {
  if (inside_ == nullptr && ordered_.load(std::memory_order_relaxed) > 0) {
    inside_ = next_in_order();
    if (inside_ != nullptr) {
      set_state(*inside_, MemberState::running);
      inside_->turn.open();
    }
  }
  if (running_ > 0) return;
  const auto waits = [](const Member* m) { return is(*m, MemberState::boundary) || is(*m, MemberState::arriving); };
  if (std::ranges::any_of(members_, waits)) close();
}

void Quantum::close() {
  settle_all();
  pages_.hand_out();
  for (Member* member : members_) {
    if (is(*member, MemberState::boundary)) set_state(*member, MemberState::running);
    if (is(*member, MemberState::arriving)) {
      set_state(*member, MemberState::away);
      arrived(*member);
    }
  }
  begin_next();
  closed_.open();
  if (running_ == 0 && ordered_.load(std::memory_order_relaxed) > 0) go_on();
}

void Quantum::begin_next() {
  Picoseconds earliest = never;
  for (const Member* member : members_) {
    if (!is(*member, MemberState::running) && !is(*member, MemberState::ordered)) continue;
    earliest = std::min(earliest, member->clock.load(std::memory_order_relaxed));
  }
  if (earliest == never) return;
  start_.store(std::max(start(), earliest), std::memory_order_release);
  end_.store(std::max(end(), earliest + length_), std::memory_order_release);
}

void Quantum::settle_all() {
  PrivateVector<Member*> users;
  for (Member* member : members_) {
    if (is(*member, MemberState::outside)) continue;
    // Who is away takes part with what it asked for before it left.
    if (is(*member, MemberState::away) && member->demand == Demand{}) continue;
    users.push_back(member);
  }
  PrivateVector<Demand> served(users.size());
  PrivateVector<Picoseconds> of_tier(users.size());
  for (std::size_t tier = 0; tier < tier_count_; ++tier) {
    for (std::size_t i = 0; i < users.size(); ++i) of_tier[i] = users[i]->demand[tier];
    share_tier(of_tier);
    for (std::size_t i = 0; i < users.size(); ++i) served[i][tier] = of_tier[i];
  }
  for (std::size_t i = 0; i < users.size(); ++i) settle(*users[i], served[i]);
}

void Quantum::settle_alone(Member& member) { settle(member, Demand(member.demand)); }

void Quantum::settle(Member& member, const Demand& served) {
  const Picoseconds now = member.clock.load(std::memory_order_relaxed);
  const Picoseconds done = member.start + *std::ranges::max_element(served);
  if (done > now) {
    member.bandwidth_wait += done - now;
    advance(member, done);
  }
  member.demand.fill(0);
  member.start = std::max(now, done);
}

void Quantum::arrived(Member& member) {
  Team& team = *member.team;
  if (++team.arrived < team.lanes.size()) return;
  team.arrived = 0;
  team.tasks_in_barrier = false;
  release(team);
}

void Quantum::release(Team& team) {
  const Picoseconds latest = team.latest_clock();
  for (Member* lane : team.lanes) {
    if (team.joining && lane != team.forker) continue;
    advance(*lane, latest);
    lane->start = latest;
    if (is(*lane, MemberState::away)) set_state(*lane, MemberState::running);
  }
}

void Quantum::tasks_in_barrier(Member& member) {
  const Lock lock(lock_);
  Team& team = *member.team;
  if (team.tasks_in_barrier) return;
  team.tasks_in_barrier = true;
  if (team.arrived == 0) {  // opened already: take it back
    for (Member* lane : team.lanes) {
      if (is(*lane, MemberState::running)) set_state(*lane, MemberState::away);
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
  if (is(member, MemberState::away)) set_state(member, MemberState::running);
}

void Quantum::open_team(Team& team, const PrivateVector<Member*>& lanes) {
  const Lock lock(lock_);
  if (!team.lanes.empty()) return;
  team.lanes = lanes;
  for (Member* lane : lanes) {
    lane->team = &team;
    if (lane == team.forker) continue;
    advance(*lane, team.fork_clock);
    lane->start = team.fork_clock;
    if (is(*team.forker, MemberState::outside)) {
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
    if (!is(*lane, MemberState::outside)) set_state(*lane, MemberState::away);
    lane->team = nullptr;
  }
  team.forker->team = team.parent;
  advance(*team.forker, latest);
  if (forker_runs && is(*team.forker, MemberState::away)) set_state(*team.forker, MemberState::running);
  go_on();
}

}  // namespace lbhm::emulator
