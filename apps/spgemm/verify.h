// Is C = A * A^T? Answered without a second sparse product, and summed up in one number.
#pragma once

#include <cstdint>
#include <span>

#include "apps/spgemm/csr.h"
#include "apps/spgemm/task.h"

namespace spgemm {

/// Freivalds' check: the largest difference between a row of C*x and of A*(A^T*x) for a random x, relative to the same
/// row of |A|*(|A^T|*|x|). Rounding alone leaves it far below verification_tolerance; a wrong C passes with probability
/// 0 for all practical purposes. Reads the entries of A as they were generated or read, none of what was made of them.
double largest_difference(const Triples& a, std::span<const Task> tasks, std::uint64_t seed);

inline constexpr double verification_tolerance = 1e-10;

/// A hash of all (row, column, value) of C. The same for any order within a row and any number of tasks.
std::uint64_t checksum(std::span<const Task> tasks);

}  // namespace spgemm
