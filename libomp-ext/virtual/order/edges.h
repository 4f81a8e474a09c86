// Clocks of threads that are no lanes, and of main outside of regions: each has a clock of its own, which nobody waits
// for. Where one of them really waits for another, it goes on at the other's clock, or at its own, whichever is later:
// the end of a thread that is joined, the signal of a condition, the bytes of a pipe.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/base/units.h"

namespace lbhm::openmp {

/// The calling thread's clock; 0 if there is none.
Nanoseconds clock_here();
/// The calling thread goes on at that clock, if its own is earlier.
void not_before(Nanoseconds clock);

/// A thread of the program's own has begun: from now on there may be somebody to wait for.
void threads_begin();
bool has_threads();

/// What one thread waits for and another brings: an address, a file. Never 0.
using EdgeName = std::uint64_t;
inline EdgeName edge_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The calling thread may end waits for it, now.
void brings(EdgeName what);
/// The calling thread has waited for it, or found it.
void got(EdgeName what);
/// The clock of those who brought it; nothing: nobody has.
std::optional<Nanoseconds> brought(EdgeName what);
/// Who got it before does not count for those who wait from now on.
void forget(EdgeName what);

}  // namespace lbhm::openmp
