// Iterations that wait for earlier ones, in virtual time: what the dispatch functions of ordering.cpp tell.
#pragma once

#include <cstdint>

namespace lbhm::openmp {

/// The lane begins a loop; `schedule` as libomp gets it.
void loop_begins(std::int32_t schedule, std::int64_t lower, std::int64_t stride);
/// It got a chunk that begins with iteration `first`.
void chunk_begins(std::int64_t first);
/// There is no chunk left for it.
void loop_ends();
/// An iteration's end: before libomp is told, and after.
void iteration_ends();
void iteration_ended();

}  // namespace lbhm::openmp
