// The services of a process, put together. One instance a process, never destroyed: callbacks may come until the very
// end.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/base/guarded.h"
#include "runtime/base/settings.h"
#include "runtime/engine/engine.h"
#include "runtime/loop/managed_memory.h"
#include "runtime/loop/phase_loop.h"
#include "runtime/loop/policy_thread.h"
#include "runtime/own_memory/own_stack.h"

namespace lbhm::engine {

/// What settings and the policy ask for, made; the services above it refer to it.
struct Foundation {
  Settings settings;
  std::unique_ptr<Policy> policy;
  Needs needs;  ///< of the policy, on this machine
  std::unique_ptr<AllocationStrategy> strategy;
  std::unique_ptr<Machine> machine;
  KnowledgeSources sources;
  bool placing = false;  ///< the machine has tiers to choose from
  bool virtual_time = false;
};

/// Reads the settings. Errors: whatever a setting, a file or the machine has to say.
Result<Foundation> lay_foundation();
/// How a start with these settings went, or would go. Errors: what keeps LB-HM out of the program; also a model that
/// cannot be used, without which it goes on.
Status try_start();

struct Engine {
  /// Errors of begin() are those of the machine.
  explicit Engine(Foundation made);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// Plans may be carried out at intervals and beside the program from now on. Errors: those of Machine::every.
  Status begin();
  /// There is an object and a region, or an object that the program asked LB-HM for: our thread begins, if there is
  /// none yet. A program without OpenMP never comes here.
  void attend() {
    if (!attending.load(std::memory_order_relaxed)) [[unlikely]]
      begin_attending();
    if (base.placing) base.machine->wake();
  }
  void begin_attending();
  void do_without_duties(const Status& refusal);

  bool reporting() const { return !base.settings.report.empty(); }

  const Foundation base;
  const int process;  ///< whose engine this is; a forked child has none
  ObjectRegistry objects;
  PageTracker pages;
  SampleFeed samples;
  FoundPages found;
  const std::unique_ptr<UseProfile> uses;  ///< null: nobody asked for it
  Knowledge knowledge;
  Recorder recorder;
  Actor actor;
  std::optional<Timeline> timeline;  ///< of what a report is wanted
  PolicyThread policy_thread;
  PhaseLoop loop;
  PageIntervals intervals;
  Lanes lanes;
  ManagedMemory memory;

  std::atomic<bool> attending{false};
  bool without_duties = false;    ///< there was no thread for them
  std::atomic<bool> used{false};  ///< the program uses OpenMP
  std::string own_allocator;      ///< that the program keeps; empty: none
  std::mutex mutex;               ///< guards what follows
  Nanoseconds measured_time;      ///< of finished measured spans, on the machine's clock
  Nanoseconds measured_since;
  bool finished = false;
  bool silent = false;  ///< the program has forbidden itself system calls
};

/// guarded(), for what goes deep: the program's threads and coroutines may have stacks of a few KiB.
template <class Work>
void with_room(const Work& work) {
  on_own_stack([](void* data) { guarded(*static_cast<const Work*>(data)); }, const_cast<Work*>(&work));
}

/// Null until start() has made it, and for good if start() failed.
Engine* engine();
/// In the child of a fork, which has no engine, but the memory of its parent's: that one.
inline constinit std::atomic<Engine*> parents_engine{nullptr};

}  // namespace lbhm::engine
