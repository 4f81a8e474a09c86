// Phase 1 of a contraction, see contract.h.
#pragma once

#include <span>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/task.h"

namespace tensor {

/// Permutes X and Y so that the contracted modes stand together, sorts X by its free modes, puts Y into its hash table.
void input_processing(const Coo& x, const Coo& y, const Contraction& contraction, SharedY& shared,
                      std::span<Task> tasks);

}  // namespace tensor
