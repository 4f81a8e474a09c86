// Reads that the optimiser saved: a neighbour's value handed on from the iteration before.
#pragma once

#include "compiler/patterns/family.h"

namespace lbhm::compiler {

/// Adds them to the families: in A[i] = A[i-1] + A[i+1] only A[i+1] is a load, A[i-1] is what was stored before.
void add_carried(std::vector<Family>& families, std::vector<NestAccess>& accesses, const Nest& nest);

}  // namespace lbhm::compiler
