// Virtual time inside the emulator: whole picoseconds, so that results are equal to the bit on every host.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/base/units.h"

namespace lbhm::emulator {

/// 2^64 ps are 213 days.
using Picoseconds = std::uint64_t;

inline constexpr Picoseconds never = ~Picoseconds{0};

inline Picoseconds to_picoseconds(Nanoseconds t) { return static_cast<Picoseconds>(std::llround(t.value * 1e3)); }
inline Nanoseconds to_nanoseconds(Picoseconds t) { return Nanoseconds(static_cast<double>(t) / 1e3); }

}  // namespace lbhm::emulator
