// Start and end of the engine.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include "runtime/base/environment.h"
#include "runtime/base/files.h"
#include "runtime/engine/machines/share_folder.h"
#include "runtime/engine/state.h"
#include "runtime/knowledge/input_files.h"
#include "runtime/own_memory/no_fork.h"
#include "runtime/own_memory/own_memory.h"
#include "runtime/phases/block_counts.h"
#include "runtime/record/code_regions.h"

namespace lbhm::engine {
namespace {

std::atomic<Engine*> the_engine{nullptr};

enum class Stage : std::uint8_t { idle, starting, started };
constinit std::atomic<Stage> stage{Stage::idle};
constinit std::mutex starting;
/// Starting opens libraries and files, which may allocate by the program's functions, which may come to us.
constinit thread_local bool starting_here = false;

std::optional<std::chrono::nanoseconds> longest_move(const Foundation& base) {
  if (base.virtual_time || !(base.settings.move_time > 0)) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(base.settings.move_time * 1e6));
}

Result<std::unique_ptr<Engine>> assemble_engine() {
  auto foundation = lay_foundation();
  if (!foundation) return std::unexpected(foundation.error());
  const std::string patterns = foundation->settings.patterns;
  auto fresh = std::make_unique<Engine>(std::move(*foundation));
  if (Status status = read_patterns_file(patterns, fresh->knowledge.patterns()); !status.ok())
    return std::unexpected(status);
  if (Status status = fresh->begin(); !status.ok()) return std::unexpected(status);
  return fresh;
}

/// A program that has memory for itself only runs by itself. Files are read here.
Result<Engine*> make_engine() {
  const own_memory::Reserve reserve;
  try {
    auto made = assemble_engine();
    if (!made) return std::unexpected(made.error());
    if (!reserve.drawn()) return made->release();
    return std::unexpected(Status(StatusCode::no_memory, {}));
  } catch (const std::exception&) {
    return std::unexpected(Status(StatusCode::no_memory, {}));  // nor for a sentence
  }
}

/// The process ends, or becomes another one, in a handler of a signal that interrupted LB-HM itself: the thread below
/// may hold what a report would wait for.
bool interrupted() {
  if (!inside()) return false;
  if (must_finish()) say("the run report was not written: the program ended in a signal handler, within LB-HM");
  return true;
}

/// How often it is looked whether a phase waits for its plan. In real time it sleeps between, and a look takes less
/// than a microsecond. Assumptions: short against phases that are worth a plan.
constexpr Nanoseconds look_in_virtual_time{50'000}, look_in_real_time{1e6};

void tell_outcome(const Status& status) {
  if (!status.ok()) say(status.message());
}

void say_no_memory() {
  say("there was no memory for the end of LB-HM's work: a run report may be missing; raise the limit (ulimit -v)");
}

}  // namespace

Engine* engine() { return the_engine.load(std::memory_order_acquire); }

Engine::Engine(Foundation made)
    : base(std::move(made)),
      process(getpid()),
      pages(*base.machine),
      samples(*base.machine),
      uses(base.settings.uses.empty() ? nullptr : std::make_unique<UseProfile>(*base.machine, samples)),
      knowledge(base.machine->topology(), base.sources),
      recorder(reporting(), base.settings.blocks),
      actor(*base.machine, base.needs.first_touch, longest_move(base),
            [this](std::span<const std::uintptr_t> moved) { pages.moved(moved); }),
      timeline(reporting() && base.placing ? std::optional<Timeline>(std::in_place, *base.machine, objects, samples,
                                                                     [this] { return actor.moved(); })
                                           : std::nullopt),
      policy_thread(*base.machine, *base.policy, objects, pages, samples, found, actor, recorder),
      loop({*base.machine, *base.policy, objects, pages, samples, found, knowledge, recorder, actor,
            timeline ? &*timeline : nullptr, uses.get()},
           {.needs = base.needs,
            .placing = base.placing,
            .intervals = base.placing && policy_thread.can_act(base.needs),
            .beside = base.placing && base.needs.decides_beside,
            .bits = base.settings.base_profile == "bits",
            .finds_phases = base.settings.find_phases != "off",
            .region_phases = base.settings.find_phases == "regions",
            .blocks = base.settings.blocks,
            .model = base.settings.model,
            .models = share_folder("models")}),
      intervals(base.machine->execution(), base.machine->page_counts()),
      lanes(*base.machine, {.machine_counts = base.placing, .progress = base.needs.progress}, intervals, loop),
      memory(*base.machine, objects, *base.policy, *base.strategy, actor,
             {.minimum = base.settings.managed_minimum,
              .placing = base.placing,
              .begin = base.needs.first_touch.empty() ? TierId(0) : base.needs.first_touch.front(),
              .keeps = !base.needs.fresh_objects && !uses,
              .headers = !base.virtual_time,
              .uses = uses.get()}) {
  loop.attach(lanes);
  policy_thread.attach(lanes);
  if (timeline) policy_thread.show(*timeline);
}

/// What LB_HM_config and the first touch do remains without a thread for the rest.
void Engine::do_without_duties(const Status& refusal) {
  if (std::exchange(without_duties, true)) return;
  if (loop.decides_beside()) loop.decide_at_begin();
  loop.do_without_intervals();
  say("pages move only while LB_HM_config is called: " + refusal.message());
}

Status Engine::begin() {
  if (reporting()) measure_code_regions(*base.machine, lanes, base.settings.region_executions, used);
  if (!base.placing) return {};
  if (base.needs.events) base.machine->want_events();
  base.machine->rest_while([this] { return objects.empty(); });
  const auto add_duties = [this]() -> Status {
    // In real time what LB_HM_config leaves goes there, too.
    if (base.needs.background || !base.virtual_time)
      if (Status status = actor.start_mover(); !status.ok()) return status;
    if (loop.decides_beside()) {
      const Nanoseconds look = base.virtual_time ? look_in_virtual_time : look_in_real_time;
      if (Status status = base.machine->every(look, [this] { loop.decide(); }); !status.ok()) return status;
    }
    return loop.acts_at_intervals() ? policy_thread.begin(base.needs) : Status();
  };
  if (const Status status = add_duties(); !status.ok()) do_without_duties(status);
  return {};
}

void Engine::begin_attending() {
  if ((base.placing && objects.empty()) || attending.exchange(true) || !base.placing) return;
  guarded([this] {
    if (const Status status = base.machine->begin_duties(); !status.ok()) do_without_duties(status);
  });
}

void start() {
  if (stage.load(std::memory_order_acquire) == Stage::started || starting_here) return;
  const NoFork whole;
  const std::lock_guard lock(starting);
  if (stage.load(std::memory_order_relaxed) == Stage::started) return;
  if (privileged()) return stage.store(Stage::started, std::memory_order_release);
  const int before = errno;  // main begins with 0
  remember_descriptors();
  stage.store(Stage::starting, std::memory_order_relaxed);
  starting_here = true;
  const auto made = make_engine();
  errno = before;
  starting_here = false;
  if (made) {
    the_engine.store(*made, std::memory_order_release);
    in_virtual_time.store((*made)->base.virtual_time, std::memory_order_release);
  } else {
    const char* const none = "there is no memory for LB-HM's own tables; raise the limit of address space (ulimit -v)";
    std::array<char, 1024> line{};
    const char* const what = made.error().message().empty() ? none : made.error().message().c_str();
    std::snprintf(line.data(), line.size(), "%s (the program runs as without LB-HM)", what);
    say(line.data());
  }
  stage.store(Stage::started, std::memory_order_release);
}

/// What the threads that the fork left behind were changing stays half-way for ever; so the child has no engine. A
/// process that forks before anything of ours began (a daemon) may have one.
void leave_to_parent() {
  in_virtual_time.store(false, std::memory_order_relaxed);
  if (Engine* left = the_engine.exchange(nullptr)) parents_engine.store(left);
  if (stage.load(std::memory_order_relaxed) != Stage::idle) stage.store(Stage::started, std::memory_order_relaxed);
}

void fall_silent() {
  if (Engine* e = engine()) {
    if (e->process != getpid()) return;  // a child that has its parent's memory (vfork)
    e->silent = true;
    finish();
    const Inside here;
    e->base.machine->fall_silent();
  }
  silent_process.store(true);
  stage.store(Stage::started, std::memory_order_release);
  leave_to_parent();
}

void openmp_begins() {
  start();
  clocks_begin();
  if (Engine* e = engine()) e->used = true;
}

bool active() {
  const Engine* e = engine();
  return e && (e->base.placing || e->reporting());
}

bool has_tiers() {
  const Engine* e = engine();
  return e && e->base.placing;
}

Bytes heap_padding() { return follows_all_waits() ? engine()->base.settings.heap_padding : Bytes(0); }

std::uint64_t other_clock() { return follows_all_waits() ? engine()->base.settings.other_clock : 0; }

std::optional<std::uint64_t> clock_begin() {
  const std::uint64_t begin = follows_all_waits() ? engine()->base.settings.clock_begin : 0;
  return begin > 0 ? std::optional(begin) : std::nullopt;
}

std::uint32_t emulated_processors() {
  return follows_all_waits() ? engine()->base.machine->topology().hardware_threads : 0;
}

std::optional<Nanoseconds> virtual_now(Nanoseconds passing) {
  static constinit thread_local Nanoseconds told{};
  static constinit thread_local const LaneState* teller = nullptr;  // whose time that was
  if (!keeps_virtual_time()) return std::nullopt;
  if (inside()) {  // a handler has interrupted us: no waiting here for the other lanes, so no time passes
    const Nanoseconds begun = current_lane ? current_lane->segment_begin : Nanoseconds{};
    return std::max({teller == current_lane ? told : Nanoseconds{}, begun, Nanoseconds(1)});
  }
  const Inside here;
  Execution& execution = engine()->base.machine->execution();
  execution.pass(passing);
  const Nanoseconds now = execution.now();
  if (now <= Nanoseconds(0)) return std::nullopt;
  teller = current_lane;
  return told = now;
}

void note_openmp() {
  clocks_begin();
  if (Engine* e = engine()) e->used.store(true, std::memory_order_relaxed);
}

void keeps_own_allocator(const char* file) {
  Engine* e = engine();
  if (!e || !e->base.placing) return;
  guarded([&] {
    const std::string_view path = file;
    e->own_allocator = path.empty() ? "the program" : path.substr(path.rfind('/') + 1);
  });
}

bool must_finish() {
  const Engine* e = engine();
  return e && e->process == getpid() && e->reporting() && e->used.load(std::memory_order_relaxed);
}

namespace {

/// What the rest of the report cannot know.
RunSummary summary(Engine& e) {
  const Topology& topology = e.base.machine->topology();
  std::vector<std::string> remarks = e.base.machine->remarks();
  std::ranges::move(e.loop.remarks(), std::back_inserter(remarks));
  if (const std::uint64_t times = times_without_memory(); times > 0)
    remarks.push_back("LB-HM found no memory for its own data " + std::to_string(times) +
                      " times: regions or plans are missing here; raise the limit of address space (ulimit -v)");
  std::ranges::move(e.base.policy->remarks(), std::back_inserter(remarks));
  if (!e.own_allocator.empty())
    remarks.push_back("blocks of malloc are not placed: the program keeps an allocator of its own, that of " +
                      e.own_allocator + "; without it they are (docs/using.md)");
  if (std::string sentence = remark_of_code_regions(); !sentence.empty()) remarks.push_back(std::move(sentence));
  if (e.silent)
    remarks.emplace_back(
        "the program forbids itself system calls (seccomp): this report ends there, and nothing is placed afterwards");
  if (e.base.sources.profile)
    std::ranges::move(stale_modules(block_modules(), *e.base.sources.profile), std::back_inserter(remarks));
  return {.machine = topology.name,
          .fingerprint = topology.fingerprint,
          .policy = e.base.policy->name(),
          .correlation = e.loop.correlation(),
          .virtual_time = e.base.virtual_time,
          .memory_mode = e.base.settings.memory_mode,
          .fast_capacity = topology.tiers[0].capacity,
          .footprint = e.base.machine->peak_footprint(),
          .measured = e.measured_time,
          .moved_beside = e.actor.moved_beside(),
          .background = e.actor.background(),
          .remarks = std::move(remarks),
          .tiers = topology.tiers,
          .accesses = e.base.machine->all_accesses(),
          .timeline = e.timeline ? &*e.timeline : nullptr,
          .worths = e.base.policy->worths()};
}

/// Whole or not at all (files.h). Errors: unavailable, naming the file.
Status write_report(Engine& e) {
  e.loop.close();  // before its remarks and its model are asked for
  const std::string& file = e.base.settings.report;
  const Status written = write_file(file, e.loop.report(summary(e)));
  if (written.ok()) return {};
  return Status(written.code(), "the run report " + file + " could not be written (" + written.message() +
                                    "); give LBHM_REPORT a path that you may write to, and room for it (ulimit -f)");
}

/// The clock of the report up to now.
void add_measured(Engine& e) {
  const Nanoseconds now = e.base.machine->execution().now();
  if (e.lanes.recording()) e.measured_time += now - e.measured_since;
  e.measured_since = now;
}

void save_counts(Engine& e) {
  e.intervals.end_serial();
  // Shells that inherit our settings count, too, and must not write over what the program did.
  if (e.used) tell_outcome(e.intervals.save(e.loop.region_names()));
}

/// Errors: unavailable, naming the file.
Status write_uses(Engine& e) {
  const std::string& file = e.base.settings.uses;
  const Status written = write_file(file, e.uses->json());
  if (written.ok()) return {};
  return Status(written.code(), "what objects were used for could not be written to " + file + " (" +
                                    written.message() + "); give LBHM_USES a path that you may write to");
}

}  // namespace

void save_report() {
  if (!must_finish() || interrupted()) return;
  Engine* e = engine();
  const bool saved = guarded([e] {
    const own_memory::Reserve reserve;  // for the report
    {
      const std::lock_guard lock(e->mutex);
      if (e->finished) return;
      add_measured(*e);
    }
    tell_outcome(write_report(*e));
  });
  if (!saved) say_no_memory();
}

void finish() {
  Engine* e = engine();
  if (!e || e->process != getpid() || interrupted()) return;
  const bool finished = guarded([e] {
    const own_memory::Reserve reserve;
    {
      const std::lock_guard lock(e->mutex);
      if (e->finished) return;
      e->finished = true;
      add_measured(*e);
    }
    e->loop.finish();
    stop_code_regions();
    save_counts(*e);
    if (e->uses && e->used) tell_outcome(write_uses(*e));
    if (e->reporting() && e->used) tell_outcome(write_report(*e));
  });
  if (!finished) say_no_memory();
}

void measure(bool on) {
  Engine* e = engine();
  if (!e) return;
  const Inside here;
  const std::lock_guard lock(e->mutex);
  if (e->lanes.recording() == on) return;
  Execution& execution = e->base.machine->execution();
  if (on) execution.measure(true);
  add_measured(*e);
  e->lanes.record(on);
  if (!on) execution.measure(false);
}

}  // namespace lbhm::engine
