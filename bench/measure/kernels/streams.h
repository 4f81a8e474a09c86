// Streams of whole lines by all OpenMP threads, each with an equal part: what they take is bandwidth.
// Stores go past the caches, so that a line that is written is not read before.
#pragma once

#include <cstdint>
#include <span>

#include "bench/measure/kernels/lines.h"

namespace measure {

/// Reads every line. Returns a sum of them: use it.
std::uint64_t stream_read(std::span<const Words> from);
/// Writes every line.
void stream_write(std::span<Words> to, std::uint64_t value);
/// to = from: one read and one write a line. Both have one length.
void stream_copy(std::span<Words> to, std::span<const Words> from);
/// to = first + 3 second: two reads and one write a line. All have one length.
void stream_triad(std::span<Words> to, std::span<const Words> first, std::span<const Words> second);

}  // namespace measure
