// The machine contract: everything the runtime asks of the operating system and the hardware.
//
// Implementations: the host with one tier or several (runtime/host/), the emulated machine (emulator/), the fake
// machine of the tests.
//
// It has four parts, each a header that says its own rules: memory (machine_memory.h), the program's threads
// (execution.h), samples (sample_source.h), what is seen of pages (observer.h). In all of them nothing throws: a call
// that cannot be carried out says so and leaves everything as it was.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/execution.h"
#include "runtime/machine/machine_memory.h"
#include "runtime/machine/observer.h"
#include "runtime/machine/sample_source.h"
#include "runtime/machine/topology.h"

namespace lbhm {

/// What Machine::every takes: above 0 (a picosecond at least) and below 100 days.
constexpr bool is_interval(Nanoseconds interval) { return interval.value >= 1e-3 && interval.value <= 8.64e15; }

/// A machine is its memory and gives out the other parts.
class Machine : public MachineMemory {
 public:
  virtual Execution& execution() = 0;
  /// Null if the machine cannot sample.
  virtual SampleSource* samples() = 0;
  /// Samples of touched lines, whoever served them (AccessSample::by). Null if nobody asked for them, or the machine
  /// cannot tell. Its period stays.
  virtual SampleSource* touches() { return nullptr; }
  /// Null if the machine cannot watch pages.
  virtual PageObserver* observer() { return nullptr; }
  /// Null if nobody asked for exact counts.
  virtual PageCounts* page_counts() { return nullptr; }
  /// From begin_duties() on until the machine's end: `duty` runs once after each interval, on a thread of the machine;
  /// several duties never at once. It may call the memory calls, the sources of samples and pages, and Execution's now
  /// and pass; it must neither throw nor wait for a thread of the program. In virtual time it runs when the first
  /// quantum closes after each interval (a shorter interval is a quantum then), on a core outside all teams that its
  /// calls cost time. Errors: invalid_argument (no interval, no duty), unavailable.
  virtual Status every(Nanoseconds interval, std::function<void()> duty) = 0;
  /// There is something to place. Before, a machine has no thread: some programs must have a single one (unshare(2)).
  /// The emulated machine begins by itself, with the first instrumented code. Errors: unavailable (no thread; asked
  /// again, it tries again).
  virtual Status begin_duties() { return {}; }
  /// Until begin_duties() is called again there is no such thread, and intervals pass. False: there was none. Not from
  /// a duty.
  virtual bool duties_rest() { return false; }
  /// While `idle` says so, no duty has anything to do, and that thread sleeps until wake(); while the program waits for
  /// something it may sleep longer than an interval. Before begin_duties().
  // NOLINTNEXTLINE(performance-unnecessary-value-param): machines keep it
  virtual void rest_while(std::function<bool()> /*idle*/) {}
  virtual void wake() {}
  /// The program is about to forbid itself system calls: from now on, and for good, the machine makes none, and its
  /// threads and timers are gone. Pages stay where they are. Not from a duty.
  virtual void fall_silent() {}
  /// The process will have so many addresses at most: what the machine only set aside goes back. In the child of a
  /// fork, too.
  virtual void limit_addresses(Bytes /*most*/) {}
  /// Events are wanted from now on, of the calling thread, too. Until then a machine may count none.
  virtual void want_events() {}
  /// Events of the calling thread since it was created, or since they were wanted.
  virtual EventCounts events() = 0;
  /// Events of all threads together since the machine began; for duties, which run while no lane does. Nothing: the
  /// machine cannot count them.
  virtual std::optional<EventCounts> all_events() { return std::nullopt; }
  /// Accesses of the calling thread since it was created, by tier; empty if the machine cannot count them.
  virtual std::vector<AccessCount> accesses() = 0;
  /// Accesses of all threads of the program since the machine began, by tier, when no lane runs; empty if the machine
  /// cannot count them.
  virtual std::vector<AccessCount> all_accesses() { return {}; }
  /// What a tier did so far and holds now. `busy`: how long all transfers so far keep it at work, copies included: as
  /// long as the time that passes, where its bandwidth is the limit. `used`: by whatever lies in it.
  struct TierUse {
    Nanoseconds busy;
    Bytes used;
  };
  /// By tier. Any thread; in virtual time asking changes nothing. Empty: the machine cannot tell.
  virtual std::vector<TierUse> tier_use() { return {}; }
  /// Empty when all is well; otherwise sentences for the report ("the program was not built with the plugin ...").
  virtual std::vector<std::string> remarks() = 0;
};

/// The host as it is: one tier, nothing to place; lanes are timed by the time-stamp counter. `limit`: who said so, if
/// the computer has more.
std::unique_ptr<Machine> make_host_machine(std::vector<std::string> remarks = {}, std::string limit = {});

}  // namespace lbhm
