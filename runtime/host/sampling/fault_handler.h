// SIGSEGV for two: faults that we caused are ours, all others go to whoever handled them before.
#pragma once

#include <signal.h>

#include <cstdint>

namespace lbhm::sampling {

/// Decides in the handler, with all signals blocked. True: the access is to be tried again.
using FaultFilter = bool (*)(std::uintptr_t address, bool write);

/// Puts the handler before the program's own; again after the program has installed another one meanwhile. It stays for
/// the rest of the process. False: the kernel refused.
bool install_fault_handler(FaultFilter filter);

}  // namespace lbhm::sampling
