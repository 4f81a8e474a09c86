// Z = X * Y for sparse tensors, element by element, in the five phases of Sparta.
// Source: J. Liu, J. Ren, R. Gioiosa, D. Li, J. Li, "Sparta: High-Performance, Element-Wise Sparse Tensor Contraction
// on Heterogeneous Memory", PPoPP '21, section 3. The Merchandiser paper counts the same five phases in NWChem-TC.
#pragma once

#include <span>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/task.h"

namespace tensor {

/// Fills z of every task: five parallel regions with a thread a task. Z is sorted by its two keys, within a task and
/// from task to task. Values do not depend on the number of tasks: each is added up by one thread in the order of the
/// contracted keys. X and Y must not have two entries at the same place.
void contract(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared, std::span<Task> tasks);

}  // namespace tensor
