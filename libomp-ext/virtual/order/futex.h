// Futexes of lanes, for those who wait by other functions than syscall.
#pragma once

#include <cstdint>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"

namespace lbhm::openmp {

/// A lane waits, `left` of virtual time at most, until it is woken or the value is another one. As the kernel has it:
/// 0 or an error (EAGAIN, ETIMEDOUT); it may return early.
int lane_waits(std::uint32_t* word, std::uint32_t value, std::optional<clock::Time> left);

}  // namespace lbhm::openmp
