// What belongs to this process alone: a child made by fork(2), or by a bare clone(2), finds zeroes here.
#pragma once

#include <atomic>

#include "runtime/sampling/fault_lock.h"

namespace lbhm::sampling {

struct ProcessWords {
  std::atomic<bool> ours;  ///< false: we are in a child
  FaultLock pages;         ///< of armed pages and what was recorded
  FaultLock actions;       ///< of what the program wants done on SIGSEGV
};

/// From now on pages may be watched. False: the kernel cannot tell children apart (Linux before 4.14), or this is one.
bool begin_watching();
/// Null before begin_watching().
ProcessWords* process_words();

}  // namespace lbhm::sampling
