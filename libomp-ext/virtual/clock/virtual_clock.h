// The program's clocks in virtual time: what they show, and who gets it.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>

#include "runtime/base/units.h"
#include "runtime/engine/engine.h"

namespace lbhm::clock {

/// Reading a clock takes a core this long, so that a loop that waits for a time ends. Measured on an AMD EPYC (virtual
/// machine, Linux 6.18) as the least of 15 means of 200,000 calls: clock_gettime through the vDSO 22 ns, omp_get_wtime
/// 29 ns. One number stands for all clocks; those of the processor, which need the kernel, take 410 ns there.
inline constexpr Nanoseconds reading{22};
/// sched_yield with nobody to yield to, and what a sleep takes beside its duration. Measured likewise: sched_yield 390
/// to 410 ns. A real nanosleep of 1 ns takes 66 us, because Linux lets timers come up to 50 us late (timer slack) and
/// waking up takes time; that is left out (assumption: a sleep is meant to last what it says).
inline constexpr Nanoseconds system_call{400};

/// A point in time, or a duration, in whole nanoseconds.
using Time = std::int64_t;
inline constexpr Time second = 1'000'000'000;

constexpr Time to_time(const timespec& t) { return t.tv_sec * second + t.tv_nsec; }
constexpr timespec to_timespec(Time t) { return {.tv_sec = t / second, .tv_nsec = t % second}; }

/// Virtual time since the machine began, on the calling thread, after `passing` more of it. Nothing if the calling
/// thread cannot say: it is about to end, or asks from inside LB-HM.
std::optional<Time> elapse(Nanoseconds passing);

/// What `clock` shows when `elapsed` has passed on the calling thread. Clocks of the processor show the thread's
/// virtual time; those of the wall begin at a whole second of real time (setting clock_begin), so that what is read in
/// smaller units is the same in every run. Nothing for clocks that stay real.
std::optional<Time> shown(clockid_t clock, Time elapsed);

/// What `clock` really shows.
Time real_time(clockid_t clock);

/// clock_gettime for the program; nothing: ask the real clock.
std::optional<Time> read(clockid_t clock, const void* return_address);

/// True if `return_address` lies in code of the program: its own, or a library that is none of the system's. libomp,
/// libc, the loader, Python and LB-HM itself measure real durations (spinning before sleeping, time-outs) and get real
/// time. Neither locks nor allocates.
bool is_program(const void* return_address);

/// True of the program's code, of the C++ library's, which waits and makes threads for it, and of where threads begin:
/// a function whose last call is a jump leaves only its caller's address.
bool speaks_for_program(const void* return_address);
/// The same for functions that OpenMP runtimes do not wait by, in virtual time: regions are called by the runtime, and
/// may end in such a call.
bool may_be_program(const void* return_address);

/// True if code that returns to `return_address` lives in virtual time.
inline bool applies_to(const void* return_address) {
  return engine::keeps_virtual_time() && is_program(return_address);
}

}  // namespace lbhm::clock
