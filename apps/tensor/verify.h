// Is Z = X * Y? Answered without a second sparse product, and summed up in one number.
#pragma once

#include <cstdint>
#include <span>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/task.h"

namespace tensor {

/// Freivalds' check, for tensors: with a random number for each free key of Y, both Z and Y are summed over the free
/// modes of Y, and the former has to be the contraction of X with the latter. Returns the largest difference of a
/// place, relative to the same sums of absolute values. Rounding alone leaves it far below verification_tolerance; a
/// wrong Z passes with probability 0 for all practical purposes. Reads the entries of X and Y as they were generated or
/// read, none of what was made of them.
double largest_difference(const Coo& x, const Coo& y, const Contraction& contraction, std::span<const Task> tasks,
                          std::uint64_t seed);

inline constexpr double verification_tolerance = 1e-10;

/// True if all of Z is in the order of its keys, each of them once.
bool is_sorted(std::span<const Task> tasks);

/// A hash of all (free key of X, free key of Y, value) of Z. The same for any number of tasks.
std::uint64_t checksum(std::span<const Task> tasks);

}  // namespace tensor
