// Says how much of a program the emulated machine could not see: code that was not built with the plugin.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "emulator/core/time_samples.h"

namespace lbhm::emulator {

/// A module enters the emulator for the first time in a thread; `code` lies in it. Callable from any thread. Keeps the
/// module in memory when the program unloads it (dlclose): threads have their buffers in its thread-locals.
void note_instrumented_code(const void* code);

/// The remark on what the samples say; empty if at most 5 % of the program's time passed in code that was not built
/// with the plugin. The number of accesses is an estimate: one a nanosecond of processor time. (Assumption: a core of 2
/// to 3 GHz that executes one to two instructions a cycle, of which a quarter to a third are loads and stores, makes
/// 0.5 to 2 accesses a nanosecond.)
std::string unseen_code_remark(std::span<const TimeSamples> samples);

}  // namespace lbhm::emulator
