// Who asks for the time?
#pragma once

namespace lbhm::clock {

/// True if `return_address` lies in code of the program: its own, or a library that is none of the system's. libomp,
/// libc, the loader, Python and LB-HM itself measure real durations (spinning before sleeping, time-outs) and get real
/// time. Neither locks nor allocates.
bool is_program(const void* return_address);

}  // namespace lbhm::clock
