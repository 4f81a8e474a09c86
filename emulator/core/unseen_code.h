// How much of a program the emulated machine cannot see: code that was not built with the plugin.
//
// It follows from where processor time goes, by loaded object, sampled about 1,000 times a second and thread. A timer
// of each thread's own processor time sends it a signal. Why this does not disturb the program:
//   - The handler adds one to a counter. It calls nothing but _dl_find_object, which may be called in handlers; it runs
//     on an alternate stack, of ours where the program has none (handler_stack.h).
//   - A thread that blocks in a system call uses no processor time, so its timer stands still and the call is not cut
//     short. SA_RESTART covers calls that are caught at their very begin.
//   - Timers are not inherited by children, and execve drops signals of timers that are still under way.
//   - The signal is one that glibc keeps from programs: nobody can block it, wait for it or handle it. When the program
//     cancels a thread, glibc takes it: its handler lets our ticks pass, and what was sampled does not count.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emulator/core/handler_stack.h"

namespace lbhm::emulator {

/// One loaded object and the samples that fell into it.
struct TimeSamples {
  std::uintptr_t object = 0;  ///< where it is mapped; 0: code that no object holds
  std::string file;           ///< empty: the program itself, or an object that is gone
  std::uint64_t milliseconds = 0;
};

/// The timer of one thread; ends with it.
class ThreadTimer {
 public:
  ThreadTimer() = default;
  ThreadTimer(const ThreadTimer&) = delete;
  ThreadTimer& operator=(const ThreadTimer&) = delete;
  ~ThreadTimer() { stop(); }

  /// Samples the calling thread from now on. Does nothing where the system has no such timers.
  void start();
  void stop();

 private:
  int id_ = -1;
  HandlerStack stack_;
};

/// Those of all threads stop, for good: the process makes no system calls for us any more.
void stop_all_timers();

/// What was sampled in this process, without the emulator's own work and the time in the kernel. Empty if nothing can
/// be said. Allocates.
std::vector<TimeSamples> time_samples();

/// Switches sampling off and on again: what runs in a pause takes no virtual time anyway, seen or not.
void sample_time(bool on);

/// The object that holds this code; 0 if there is none.
std::uintptr_t object_of(const void* code);

/// While one of these lives, the calling thread works for the emulator, wherever its code lies.
class EmulatorsOwnTime {
 public:
  EmulatorsOwnTime() { depth_ = depth_ + 1; }
  ~EmulatorsOwnTime() { depth_ = depth_ - 1; }
  EmulatorsOwnTime(const EmulatorsOwnTime&) = delete;
  EmulatorsOwnTime& operator=(const EmulatorsOwnTime&) = delete;
  static bool here() { return depth_ > 0; }
  /// The calling thread waits in OpenMP (Execution::wait_begin), or does so no more: what it spends meanwhile is the
  /// runtime's time, in libc's functions, too.
  static void thread_waits(bool yes) { depth_ = (depth_ & ~waiting) | (yes ? waiting : 0); }

 private:
  static constexpr int waiting = 1 << 30;
  inline static thread_local volatile int depth_ = 0;
};

/// A module enters the emulator for the first time in a thread; `code` lies in it. Callable from any thread. Keeps the
/// module in memory when the program unloads it (dlclose): threads have their buffers in its thread-locals.
void note_instrumented_code(const void* code);

/// The remark on what the samples say; empty if at most 5 % of the program's time passed in code that was not built
/// with the plugin. The number of accesses is an estimate: one a nanosecond of processor time. (Assumption: a core of 2
/// to 3 GHz that executes one to two instructions a cycle, of which a quarter to a third are loads and stores, makes
/// 0.5 to 2 accesses a nanosecond.)
std::string unseen_code_remark(std::span<const TimeSamples> samples);

}  // namespace lbhm::emulator
