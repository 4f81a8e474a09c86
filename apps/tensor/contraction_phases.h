// A contraction in five phases, and the check of its result.
#pragma once

#include <cstdint>
#include <span>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/task.h"

namespace tensor {

// Phase 1.

/// Permutes X and Y so that the contracted modes stand together, sorts X by its free modes, puts Y into its hash table.
void input_processing(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared,
                      std::span<Task> tasks);

// Z = X * Y for sparse tensors, element by element, in the five phases of Sparta.
// Source: J. Liu, J. Ren, R. Gioiosa, D. Li, J. Li, "Sparta: High-Performance, Element-Wise Sparse Tensor Contraction
// on Heterogeneous Memory", PPoPP '21, section 3. The Merchandiser paper counts the same five phases in NWChem-TC.

/// Fills z of every task: five parallel regions with a thread a task. Z is sorted by its two keys, within a task and
/// from task to task. Values do not depend on the number of tasks: each is added up by one thread in the order of the
/// contracted keys. X and Y must not have two entries at the same place.
void contract(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared, std::span<Task> tasks);

// Is Z = X * Y? Answered without a second sparse product, and summed up in one number.

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
