#include "emulator/core/emulated_core.h"

#include <algorithm>
#include <utility>

namespace lbhm::emulator {

Core::Core(const MachineDescription& machine, PageMap& pages, Quantum& quantum, std::uint64_t number, MemberState state,
           PageNumberRange ignored_pages)
    : quantum_(quantum), model_(machine, pages, number, ignored_pages) {
  member_.number = number;
  member_.state = state;
  if (state == MemberState::outside) {
    model_.idle_until(quantum.start());
    member_.clock = member_.start = model_.clock();
  }
  quantum.add(member_);
}

void Core::take_settlement() { model_.wait_for_memory(std::exchange(member_.bandwidth_wait, 0)); }

/// A core that executes something although it is away was given up.
void Core::prepare() {
  if (outside()) return;
  catch_up();
  if (!waiting_ && member_.state == MemberState::away) quantum_.run(member_, model_.clock());
  const bool in_step = member_.state == MemberState::running;
  model_.page_table().hand_out_at_once(!in_step, in_step && member_.team == nullptr);
}

void Core::come_back() {
  member_.left_behind.store(false, std::memory_order_relaxed);
  if (!waiting_) quantum_.run(member_, model_.clock());
  take_settlement();
  model_.idle_until(member_.clock);
}

void Core::execute(const Work& work, std::span<const std::uint64_t> entries, bool measuring) {
  quantum_.note_progress();
  prepare();
  model_.measure(measuring);
  model_.begin(work, entries.size());
  while (!entries.empty()) {
    pass_boundaries();
    const bool in_step = member_.state == MemberState::running;
    entries = entries.subspan(model_.run(entries, in_step ? quantum_.end() : never));
  }
  report_clock();
}

void Core::pass(Picoseconds duration) {
  constexpr Picoseconds hundred_days = 100ull * 24 * 3600 * 1'000'000'000'000;
  quantum_.note_progress();
  prepare();
  const Picoseconds now = model_.clock();
  model_.idle_until(now + std::min(duration, hundred_days - std::min(now, hundred_days)));
  report_clock();
}

void Core::report_clock() {
  pass_boundaries();
  if (member_.state == MemberState::running) {
    quantum_.publish(member_, model_.clock());
  } else {
    quantum_.boundary(member_, account());  // out of step: served alone and at once
    take_settlement();
  }
}

void Core::pass_boundaries() {
  while (member_.state == MemberState::running && model_.clock() >= quantum_.end()) {
    quantum_.boundary(member_, account());
    take_settlement();
  }
}

void Core::begin_lane(LaneId lane) {
  waiting_ = in_barrier_ = dismissed_ = false;
  lane_ = lane;
  model_.set_lane(lane);
  model_.page_table().hand_out_at_once(outside());
  model_.idle_until(member_.clock);
}

bool Core::wait_begin(Wait kind) {
  model_.drain();
  pass_boundaries();
  waiting_ = true;
  in_barrier_ = (is_barrier(kind) || kind == Wait::join) && member_.team != nullptr;
  dismissed_ = in_barrier_ && kind == Wait::join && member_.team->forker != &member_;
  bool called = false;
  if (in_barrier_) {
    called = quantum_.arrive(member_, account(), kind);
  } else {
    quantum_.leave(member_, account());
  }
  take_settlement();
  if (called) dismissed_ = false;
  return called;
}

void Core::wait_end() {
  // libomp tells a worker of the end of a join when its next region begins: by then it may be a lane of that region.
  if (!waiting_ || dismissed_) return;
  waiting_ = false;
  if (in_barrier_) model_.idle_until(member_.clock);
  in_barrier_ = false;
  quantum_.run(member_, model_.clock());
}

void Core::join() {
  waiting_ = in_barrier_ = false;
  model_.idle_until(member_.clock);
}

void Core::sleep(const Sleep& until) {
  quantum_.sleep(member_, until);
  take_settlement();
  model_.idle_until(member_.clock);
}

void Core::begin_duty(Picoseconds now, bool measuring) {
  take_settlement();
  model_.measure(measuring);
  model_.idle_until(now);
  quantum_.run(member_, model_.clock());
}

void Core::end_duty() { quantum_.boundary(member_, account()); }

void Core::ordered_begin(Picoseconds keep) {
  if (member_.state != MemberState::running || waiting_) return;
  pass_boundaries();
  quantum_.take_turn(member_, account(), keep);
  take_settlement();
}

/// Where atomics follow each other closely the turn is kept for a quarter of a quantum: to give it to another thread
/// takes longer than to emulate what lies between two of them, and a core that has a line serves itself first, too.
void Core::atomic_begin() {
  const Picoseconds now = model_.clock(), kept = quantum_.length() / 4, close = kept / 16;
  const bool follows = last_atomic_ != never && now - last_atomic_ < close;
  last_atomic_ = now;
  if (!quantum_.keeps_turn(member_, now)) ordered_begin(follows ? kept : 0);
}

void Core::retire() {
  if (member_.state == MemberState::running) quantum_.leave(member_, account());
}

}  // namespace lbhm::emulator
