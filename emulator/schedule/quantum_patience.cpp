// How long members wait in real time for one that does not come, and what they do then.
//
// A member that is awaited may sleep in the kernel, in a way that nobody told us of. If then all threads of the process
// sleep, no work brings it back but what the members do that wait for it: they go on without it. That is found within
// some ten milliseconds. When its thread is woken it comes back at the end of that quantum, so its clock is not before
// that of who woke it, and, where that was another member, is the same in every run.
//
// Whoever runs on in real time without any progress in virtual time is let go after seconds.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "emulator/schedule/kernel_sleep.h"
#include "emulator/schedule/quantum.h"
#include "emulator/schedule/straggler.h"

namespace lbhm::emulator {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

}  // namespace

void Quantum::wait(Lock& lock, const Gate& gate, std::uint32_t seen) {
  constexpr milliseconds silence{1000}, first_look{8}, next_look{2}, longest{64};
  milliseconds limit = patience();
  lock.unlock();
  std::uint64_t progress = progress_.load(std::memory_order_relaxed);
  steady_clock::time_point begin = steady_clock::now();
  milliseconds pause = kernel_waits() > 0 ? next_look : first_look;
  while (!gate.wait(seen, std::min(pause, limit))) {
    pause = std::min(2 * pause, longest);
    const std::uint64_t now = progress_.load(std::memory_order_relaxed);
    if (now != progress) {
      progress = now;
      begin = steady_clock::now();
      continue;
    }
    if (let_go_if_all_sleep()) pause = next_look;
    const auto quiet = steady_clock::now() - begin;
    if (quiet >= silence && limit > silence) say_whom_others_wait_for();
    if (quiet < limit) continue;
    const Lock again(lock_);
    if (gate.value() == seen) drop_stragglers();
    limit = patience();
    begin = steady_clock::now();
  }
}

/// Once: the rest would be silence.
void Quantum::say_whom_others_wait_for() {
  if (said_.load(std::memory_order_relaxed)) return;
  Lock lock(lock_);
  const Member* late = straggler();
  const void* const place = late == nullptr ? nullptr : late->place.load(std::memory_order_relaxed);
  lock.unlock();
  if (late != nullptr && !said_.exchange(true)) say_others_wait(place, 1);
}

/// The first one that runs, or has its turn.
const Member* Quantum::straggler() const {
  const auto found =
      std::ranges::find_if(members_, [this](const Member* m) { return m->is(MemberState::running) || inside_ == m; });
  return found == members_.end() ? nullptr : *found;
}

/// Short if all who run have made the others wait before, and shorter than at first if anybody has: a program that
/// spins once spins often.
milliseconds Quantum::patience() const {
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
  return is_idle() && in_kernel_ == 0 && std::ranges::none_of(members_, [](const Member* m) {
           return m->dropped || m->has_alarm() || (m->is(MemberState::asleep) && m->from_outside);
         });
}

/// True: it seems that all sleep, and the next look will tell.
bool Quantum::let_go_if_all_sleep() {
  constexpr unsigned enough = 2;
  constexpr milliseconds between(1);
  const Lock lock(lock_);
  const auto now = steady_clock::now();
  if (now < next_look_) return looks_at_sleep_ > 0;
  next_look_ = now + between;
  looks_at_sleep_ = all_sleep() ? looks_at_sleep_ + 1 : 0;
  if (looks_at_sleep_ < enough) return looks_at_sleep_ > 0;
  looks_at_sleep_ = 0;
  for (Member* member : members_) {
    if (!member->is(MemberState::running)) continue;
    lose_turn(*member);
    set_state(*member, MemberState::away);
    member->in_kernel = true;
    member->left_behind.store(true, std::memory_order_relaxed);
    ++in_kernel_;
    kernel_waits_.fetch_add(1, std::memory_order_relaxed);
  }
  go_on();
  return false;
}

/// Cheap as long as any of the awaited has used processor time since the last look.
bool Quantum::all_sleep() {
  if (running_ == 0) return false;
  std::uint64_t used = 0;
  for (const Member* member : members_) {
    if (!member->is(MemberState::running)) continue;
    const auto time = processor_time(member->thread.load(std::memory_order_relaxed));
    if (!time) return false;
    used += *time;
  }
  if (std::exchange(time_used_, used) != used) return false;
  PrivateVector<int> waiting;  // they look around, as the caller does
  for (const Member* member : members_) {
    const int thread = member->thread.load(std::memory_order_relaxed);
    const std::array ours{std::as_bytes(std::span(this, 1)), std::as_bytes(std::span(member, 1))};  // gates, and a lock
    if (member->is(MemberState::running) && !waits_for_others(thread, ours)) return false;
    const bool comes = member->is(MemberState::away) || member->is(MemberState::outside);
    if (!comes && !member->is(MemberState::running)) waiting.push_back(thread);
  }
  return others_sleep(waiting);
}

/// At the end of a quantum. True: some of those that slept in the kernel run again.
bool Quantum::take_back_woken() {
  bool any = false;
  for (Member* member : members_) {
    if (!member->in_kernel || (!member->awake && sleeps(member->thread.load(std::memory_order_relaxed)))) continue;
    rouse(*member, reached_awake());
    any = true;
  }
  return any;
}

/// Where nobody waits, those who sleep now were the last to do anything.
Picoseconds Quantum::reached_awake() const {
  if (!is_idle()) return reached();
  Picoseconds latest = start();
  for (const Member* member : members_)
    if (member->in_kernel) latest = std::max(latest, member->clock.load(std::memory_order_relaxed));
  return latest;
}

/// Of a member that is awake again: it comes back when the quantum ends, or at once where nobody runs, or gets on.
void Quantum::await_close_in_kernel(Lock& lock, Member& member) {
  constexpr milliseconds pause(1), long_time(100);
  std::uint64_t progress = 0;
  steady_clock::time_point until{};
  member.awake = true;
  while (member.in_kernel && running_ > 0) {
    if (std::exchange(progress, progress_.load()) != progress_.load()) until = steady_clock::now() + long_time;
    if (steady_clock::now() > until) break;
    const std::uint32_t seen = member.gate.value();
    lock.unlock();
    if (!member.gate.wait(seen, pause)) let_go_if_all_sleep();
    lock.lock();
  }
  if (member.in_kernel && !closing_) rouse(member, reached_awake());
  member.awake = false;
}

}  // namespace lbhm::emulator
