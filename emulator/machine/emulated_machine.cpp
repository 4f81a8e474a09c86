#include "emulator/machine/emulated_machine.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <tuple>

#include "emulator/core/unseen_code.h"
#include "emulator/emulator.h"
#include "emulator/machine/instrumented_program.h"
#include "emulator/machine/thread_state.h"
#include "emulator/schedule/straggler.h"
#include "runtime/own_memory/inside.h"

namespace lbhm::emulator {
namespace {

std::atomic<EmulatedMachine*> the_machine{nullptr};
std::atomic<std::uint64_t> serials{0};
std::atomic<std::uint64_t> unseen_accesses{0};
constinit std::atomic<bool> code_is_there{false};
constinit std::atomic<void (*)()> told_of_code{nullptr};

void tell_of_code() {
  if (auto* const call = told_of_code.exchange(nullptr)) call();
}

}  // namespace

EmulatedMachine::EmulatedMachine(const MachineDescription& description, std::chrono::milliseconds patience,
                                 std::unique_ptr<PageCountLog> log)
    : description_(description),
      sample_period_(static_cast<double>(description.sample_period)),
      log_(std::move(log)),
      serial_(serials.fetch_add(1) + 1),
      pages_(description_),
      quantum_(description_, pages_, patience),
      cores_(description_, pages_, quantum_),
      execution_(*this, pages_, quantum_, cores_),
      daemons_(*this, patience) {
  quantum_.set_duties(daemons_);
  if (log_) pages_.set_log(*log_);
  ThreadState::current()->bind(*this, cores_.first());
  the_machine.store(this, std::memory_order_release);
}

EmulatedMachine::~EmulatedMachine() {
  the_machine.store(nullptr, std::memory_order_release);
  sample_time(true);  // the next machine measures from its start on
}

EmulatedMachine* EmulatedMachine::current() {
  return in_child() ? nullptr : the_machine.load(std::memory_order_acquire);
}

void EmulatedMachine::count_unseen(std::uint64_t accesses) {
  unseen_accesses.fetch_add(accesses, std::memory_order_relaxed);
}

void EmulatedMachine::give_up() {
  if (!given_up_.exchange(true)) quantum_.give_up();
}

bool EmulatedMachine::set_between_quanta(std::atomic<std::uint8_t>& byte) {
  bool taken = false;
  guard([&] {
    ThreadState* thread = ThreadState::current();
    if (thread == nullptr) return;
    quantum_.set_at_close(thread->core(*this).member(), byte);
    taken = true;
  });
  return taken;
}

void EmulatedMachine::want_events() {
  if (description_.load_counts) return;
  if (execution_.flushed_core() != nullptr) ThreadState::current()->count_loads();
}

EventCounts EmulatedMachine::events() {
  const Core* core = execution_.flushed_core();
  if (core == nullptr) return {};
  EventCounts events = core->model().events();
  events.useless_prefetches = static_cast<double>(core->model().useless_prefetches());
  return events;
}

std::optional<EventCounts> EmulatedMachine::all_events() { return cores_.events(); }

std::vector<AccessCount> EmulatedMachine::accesses() {
  const Core* core = execution_.flushed_core();
  return core == nullptr ? std::vector<AccessCount>(description_.topology.tiers.size()) : core->model().accesses();
}

std::vector<Machine::TierUse> EmulatedMachine::tier_use() {
  std::vector<TierUse> use;
  for (std::size_t tier = 0; tier < description_.topology.tiers.size(); ++tier) {
    const std::uint64_t all = description_.topology.tiers[tier].capacity.value >> page_bits << page_bits;
    use.push_back({.busy = to_nanoseconds(pages_.load().busy(tier)), .used = Bytes(all) - pages_.room_now(tier)});
  }
  return use;
}

Status EmulatedMachine::every(Nanoseconds interval, std::function<void()> duty) {
  if (!is_interval(interval) || !duty) {
    return {StatusCode::invalid_argument, "every: needs a function and an interval above 0 and below 100 days"};
  }
  try {
    daemons_.add(cores_.daemon(), to_picoseconds(interval), to_picoseconds(execution_.now()), std::move(duty));
  } catch (const std::bad_alloc&) { return {StatusCode::no_memory, "every: no memory for one function more"}; }
  // At once where it can be: a thread takes memory, and so the program's blocks lie where they always did.
  if (!code_is_there) code_is_there = program_is_instrumented();
  return code_is_there ? begin_duties() : Status();
}

Status EmulatedMachine::begin_duties() {
  try {
    daemons_.begin();
    return {};
  } catch (const std::system_error& error) {
    return {StatusCode::unavailable, std::string("every: no thread for the function (") + error.what() +
                                         "); raise the limit of threads (ulimit -u)"};
  }
}

void EmulatedMachine::code_comes() {
  if (code_is_there.exchange(true)) return;
  tell_of_code();
  EmulatedMachine* const machine = current();
  // Where it fails, the first region asks again, and says so.
  if (machine != nullptr) machine->guard([machine] { static_cast<void>(machine->begin_duties()); });
}

/// As in a child: threads that are under way find no machine any more, and those that wait for a quantum go on.
void EmulatedMachine::fall_silent() {
  daemons_.end();
  stop_all_timers();
  give_up();
  leave_process();
}

namespace {

/// Of equals, a core's first comes first: addresses are others in every run.
void sort_samples(std::vector<AccessSample>& samples, std::size_t first) {
  std::stable_sort(
      samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end(),
      [](const AccessSample& a, const AccessSample& b) { return std::tie(a.lane, a.time) < std::tie(b.lane, b.time); });
}

}  // namespace

std::uint64_t EmulatedMachine::drain(std::vector<AccessSample>& out) {
  const std::size_t first = out.size();
  const std::uint64_t lost = cores_.drain(out);
  sort_samples(out, first);
  return lost;
}

AccessCount EmulatedMachine::Touches::period() const {
  return AccessCount(static_cast<double>(machine_.description_.touch_period));
}

std::uint64_t EmulatedMachine::Touches::drain(std::vector<AccessSample>& out) {
  const std::size_t first = out.size();
  machine_.execution_.flushed_core();
  const std::uint64_t lost = machine_.cores_.drain_touches(out);
  sort_samples(out, first);
  return lost;
}

void EmulatedMachine::end_interval(const CountedInterval& interval) {
  Core* core = execution_.flushed_core();
  if (core == nullptr) return;
  guard([&] { log_->add(interval, core->model().page_counter()->take()); });
}

void EmulatedMachine::set_period(AccessCount period) {
  sample_period_ = period;
  cores_.set_sample_period(static_cast<std::uint64_t>(period.value));
}

/// Of lanes that did not meet in virtual time as they should.
void EmulatedMachine::remark_waits(std::vector<std::string>& lines) {
  if (quantum_.lost_patience()) {
    const std::string place = place_name(quantum_.place_of_straggler());
    lines.emplace_back(
        "a thread kept the others waiting in real time (a spin wait, blocking I/O, or long code without the plugin" +
        (place.empty() ? "" : "; it was last seen at " + place) +
        ") and was let go: the others went on without it, so virtual times say little, and those of the next run "
        "differ");
  }
  if (const std::uint64_t times = quantum_.kernel_waits(); times > 0) {
    lines.emplace_back(
        std::to_string(times) +
        " times a lane waited in the kernel in a way that the emulated machine found out in real time only: where it "
        "waited for other lanes, its clock is right to a quantum; where for anything else, the next run may differ");
  }
  if (daemons_.lost()) {
    lines.emplace_back(
        "a function that runs at intervals (a policy) did not come back in real time and was given up: from then on "
        "the policy did nothing");
  }
  if (quantum_.deadlocked()) {
    lines.emplace_back(
        "all threads waited for each other in virtual time and were let go: from then on nothing was timed in order; "
        "please report the program");
  }
}

std::vector<std::string> EmulatedMachine::remarks() {
  std::vector<std::string> lines;
  if (!instrumented_.load(std::memory_order_relaxed)) {
    lines.emplace_back(
        "the program was not built with the plugin: the emulated machine saw no access and its times mean nothing; "
        "build it with lbhm cc --emulate, lbhm c++ --emulate or lbhm fc --emulate");
  }
  if (std::string unseen = unseen_code_remark(time_samples()); instrumented_.load() && !unseen.empty()) {
    lines.push_back(std::move(unseen));
  }
  remark_waits(lines);
  if (given_up()) {
    lines.emplace_back(
        "the host had no memory left for the emulated machine: it counted no access from then on, and virtual time "
        "stood still; use a smaller input or a host with more memory");
  }
  if (pages_.overflowed()) {
    lines.emplace_back("all tiers were full: the slowest one took pages beyond its capacity; give the machine more");
  }
  if (const std::uint64_t unseen = unseen_accesses.load(std::memory_order_relaxed); unseen > 0) {
    lines.push_back(std::to_string(unseen) +
                    " accesses or more came before the emulated machine was there, or after its end (static "
                    "initialisers, what runs at exit), and were not counted");
  }
  return lines;
}

}  // namespace lbhm::emulator

namespace lbhm {
namespace {

/// Whole pages of it.
Status limit_fast(Topology& topology, Bytes most) {
  if (most < topology.page) {
    return {StatusCode::invalid_argument, "fast capacity: " + std::to_string(most.value) +
                                              " bytes is less than a page; give at least " +
                                              std::to_string(topology.page.value)};
  }
  topology.tiers.front().capacity = topology.page * (most.value / topology.page.value);
  return {};
}

}  // namespace

[[gnu::weak]] bool can_emulate() { return true; }  // but see no_emulation.cpp

Result<std::unique_ptr<Machine>> make_emulated_machine(std::string_view preset, std::string_view preset_directory,
                                                       const EmulatorOptions& options) {
  constexpr std::chrono::seconds patience{10};
  if (emulator::EmulatedMachine::current() != nullptr) {
    return failure(StatusCode::busy, "there is an emulated machine already; a process can have one at a time");
  }
  auto description = emulator::load_machine(preset, preset_directory);
  if (!description) return std::unexpected(description.error());
  if (options.fast_capacity) {
    const Status status = limit_fast(description->topology, *options.fast_capacity);
    if (!status.ok()) return std::unexpected(status);
  }
  description->sampling = options.sampling;
  description->load_counts = options.load_counts;
  if (options.sample_period != 0) description->sample_period = options.sample_period;
  description->touch_period = options.touch_period;
  description->seed = options.seed;
  description->other_clock = options.other_clock;
  if (options.memory_mode && description->topology.tiers.size() < 2) {
    return failure(StatusCode::invalid_argument, "memory-mode: machine " + description->topology.name +
                                                     " has one tier; it needs a fast tier and a memory behind it: "
                                                     "choose a machine with two tiers or another policy");
  }
  description->memory_mode = options.memory_mode;
  description->contention = options.contention;
  if (options.page_counts.empty()) return std::make_unique<emulator::EmulatedMachine>(*description, patience);
  if (options.memory_mode) {
    return failure(
        StatusCode::invalid_argument,
        "LBHM_PAGE_COUNTS: in memory-mode pages have no tier of their own; choose another policy, or unset it");
  }
  std::unique_ptr<emulator::PageCountLog> log(new emulator::PageCountLog);
  if (Status status = log->open(options.page_counts, *description); !status.ok()) return std::unexpected(status);
  description->page_counts = true;
  return std::make_unique<emulator::EmulatedMachine>(*description, patience, std::move(log));
}

void sleep_in_order(const Rousing& rousing) {
  if (emulator::EmulatedMachine* machine = emulator::EmulatedMachine::current()) {
    machine->execution().sleep(
        {.alarm = rousing.deadline ? emulator::to_picoseconds(*rousing.deadline) : emulator::never,
         .from_outside = true,
         .has_come = rousing.has_come,
         .what = rousing.what});
  }
  --insides;
}

void when_instrumented(void (*call)()) {
  emulator::told_of_code.store(call);
  if (emulator::code_is_there.load()) emulator::tell_of_code();
}

void set_between_quanta(std::atomic<std::uint8_t>& byte) {
  emulator::EmulatedMachine* machine = emulator::EmulatedMachine::current();
  if (machine == nullptr || machine->given_up() || !machine->set_between_quanta(byte)) byte.store(1);
}

Status check_machine_file(std::string_view path) {
  const auto machine = emulator::load_machine(path, "");
  return machine ? Status() : machine.error();
}

}  // namespace lbhm
