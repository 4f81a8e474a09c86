// Start and end of the engine.
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>

#include "runtime/base/environment.h"
#include "runtime/base/files.h"
#include "runtime/base/printable.h"
#include "runtime/engine/guarded.h"
#include "runtime/engine/input_files.h"
#include "runtime/engine/interval_counts.h"
#include "runtime/engine/lane_state.h"
#include "runtime/engine/machine_table.h"
#include "runtime/engine/placement_file.h"
#include "runtime/engine/report.h"
#include "runtime/engine/state.h"
#include "runtime/engine/surroundings.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm::engine {
namespace {

std::atomic<Engine*> the_engine{nullptr};

enum class Stage : std::uint8_t { idle, starting, started };
constinit std::atomic<Stage> stage{Stage::idle};
constinit std::mutex starting;
/// Starting opens libraries and files, which may allocate by the program's functions, which may come to us.
constinit thread_local bool starting_here = false;

Result<std::unique_ptr<Engine>> assemble_engine() {
  auto fresh = std::make_unique<Engine>();
  auto settings = read_settings();
  if (!settings) return std::unexpected(settings.error());
  fresh->settings = std::move(*settings);
  fresh->process = getpid();
  fresh->reporting = !fresh->settings.report.empty();
  fresh->counting = fresh->settings.blocks;

  if (Status status = read_patterns_file(fresh->settings.patterns, fresh->patterns); !status.ok())
    return std::unexpected(status);

  PolicyOptions options{.pace = fresh->settings.pace, .without = fresh->settings.without};
  auto policy = make_policy(fresh->settings.policy, options);
  if (!policy) return std::unexpected(policy.error());
  const Needs needs = (*policy)->needs({});
  if (needs.memory_mode) fresh->settings.memory_mode = true;
  if (fresh->settings.memory_mode && !needs.leaves_pages) {
    return failure(StatusCode::invalid_argument,
                   "LBHM_MEMORY_MODE=on: the hardware decides what is in fast memory, so policy " +
                       fresh->settings.policy + " has nothing to place; set LBHM_POLICY=memory-mode, or unset it");
  }

  auto machine = make_machine(fresh->settings, needs.forecast || needs.samples, needs.unlimited);
  if (!machine) return std::unexpected(machine.error());
  fresh->machine = std::move(*machine);
  fresh->execution = &fresh->machine->execution();
  fresh->virtual_time = fresh->execution->virtual_time();
  fresh->counts = fresh->machine->page_counts();
  auto stencils = read_alpha_file(fresh->settings.alpha, fresh->machine->topology().name);
  if (!stencils) return std::unexpected(stencils.error());
  fresh->stencils = std::move(*stencils);
  auto profile = read_profile(fresh->settings.profile, fresh->machine->topology().name);
  if (!profile) return std::unexpected(profile.error());
  fresh->profile = std::move(*profile);
  const Topology& topology = fresh->machine->topology();
  fresh->placing = topology.tiers.size() > 1;
  if (needs.script) {
    auto script = read_placement(fresh->settings.placement, topology.tiers.size(), topology.page);
    if (!script) return std::unexpected(script.error());
    options.script = std::move(*script);
    policy = make_policy(fresh->settings.policy, options);
    if (!policy) return std::unexpected(policy.error());
  }
  fresh->policy = std::move(*policy);
  fresh->needs = fresh->policy->needs(topology);
  if (Status status = fresh->machine->prefer_default(fresh->needs.first_touch); !status.ok())
    return std::unexpected(status);
  if (fresh->needs.scatter) {
    if (Status status = fresh->machine->scatter(fresh->settings.fast_share, fresh->settings.seed); !status.ok())
      return std::unexpected(status);
  }
  if (Status status = tick_at_intervals(*fresh); !status.ok()) return std::unexpected(status);
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

void tell_outcome(const Status& status) {
  if (!status.ok()) say(status.message());
}

void say_no_memory() {
  say("there was no memory for the end of LB-HM's work: a run report may be missing; raise the limit (ulimit -v)");
}

}  // namespace

Engine* engine() { return the_engine.load(std::memory_order_acquire); }

void say(std::string_view sentence) { print_line("lbhm: ", sentence); }

void start() {
  if (stage.load(std::memory_order_acquire) == Stage::started || starting_here) return;
  const Inside here;
  const std::lock_guard lock(starting);
  if (stage.load(std::memory_order_relaxed) == Stage::started) return;
  if (privileged()) return stage.store(Stage::started, std::memory_order_release);
  remember_descriptors();
  stage.store(Stage::starting, std::memory_order_relaxed);
  starting_here = true;
  const auto made = make_engine();
  starting_here = false;
  if (made) {
    the_engine.store(*made, std::memory_order_release);
  } else {
    const std::string& why = made.error().message();
    const char* const no_memory =
        "there is no memory for LB-HM's own tables; raise the limit of address space (ulimit -v)";
    std::array<char, 1024> line{};
    std::snprintf(line.data(), line.size(), "%s (the program runs as without LB-HM)",
                  why.empty() ? no_memory : why.c_str());
    say(line.data());
  }
  stage.store(Stage::started, std::memory_order_release);
}

/// What the threads that the fork left behind were changing stays half-way for ever; so the child has no engine. A
/// process that forks before anything of ours began (a daemon) may have one.
void leave_to_parent() {
  the_engine.store(nullptr, std::memory_order_relaxed);
  if (stage.load(std::memory_order_relaxed) != Stage::idle) stage.store(Stage::started, std::memory_order_relaxed);
}

void openmp_begins() {
  start();
  if (Engine* e = engine()) e->used = true;
}

bool active() {
  const Engine* e = engine();
  return e && (e->placing || e->reporting);
}

bool follows_all_waits() {
  const Engine* e = engine();
  return e && e->virtual_time;
}

bool keeps_virtual_time() { return follows_all_waits(); }

std::optional<Nanoseconds> virtual_now(Nanoseconds passing) {
  static constinit thread_local Nanoseconds told{};
  static constinit thread_local const LaneState* teller = nullptr;  // whose time that was
  if (!keeps_virtual_time()) return std::nullopt;
  if (inside()) {  // a handler has interrupted us: no waiting here for the other lanes, so no time passes
    const Nanoseconds begun = current_lane ? current_lane->segment_begin : Nanoseconds{};
    return std::max({teller == current_lane ? told : Nanoseconds{}, begun, Nanoseconds(1)});
  }
  const Inside here;
  Execution& execution = engine()->machine->execution();
  execution.pass(passing);
  const Nanoseconds now = execution.now();
  if (now <= Nanoseconds(0)) return std::nullopt;
  teller = current_lane;
  return told = now;
}

void note_openmp() {
  if (Engine* e = engine()) e->used.store(true, std::memory_order_relaxed);
}

bool must_finish() {
  const Engine* e = engine();
  return e && e->process == getpid() && e->reporting && e->used.load(std::memory_order_relaxed);
}

void save_report() {
  if (!must_finish() || interrupted()) return;
  Engine* e = engine();
  const bool saved = guarded([e] {
    const own_memory::Reserve reserve;  // for the report
    {
      const std::lock_guard lock(e->mutex);
      if (e->finished) return;
      const Nanoseconds now = e->machine->execution().now();
      if (e->measuring) e->measured_time += now - e->measured_since;
      e->measured_since = now;
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
      if (e->measuring) e->measured_time += e->machine->execution().now() - e->measured_since;
    }
    save_counts(*e);
    if (e->reporting && e->used) tell_outcome(write_report(*e));
  });
  if (!finished) say_no_memory();
}

void measure(bool on) {
  Engine* e = engine();
  if (!e) return;
  const Inside here;
  const std::lock_guard lock(e->mutex);
  if (e->measuring == on) return;
  if (on) e->machine->execution().measure(true);
  const Nanoseconds now = e->machine->execution().now();
  if (on)
    e->measured_since = now;
  else
    e->measured_time += now - e->measured_since;
  e->measuring = on;
  if (!on) e->machine->execution().measure(false);
}

}  // namespace lbhm::engine
