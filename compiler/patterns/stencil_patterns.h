// Reads that the optimiser saved: a neighbour's value handed on from the iteration before.
#pragma once

#include "compiler/patterns/compiled_text.h"
#include "compiler/patterns/family.h"
#include "compiler/patterns/neighbours.h"

namespace lbhm::compiler {

/// Adds them to the families: in A[i] = A[i-1] + A[i+1] only A[i+1] is a load, A[i-1] is what was stored before.
void add_carried(std::vector<Family>& families, std::vector<NestAccess>& accesses, const Nest& nest);

// Stencils: reads of one base at neighbours of the element that the loops are at.

/// Marks the accesses of the family that belong to stencils. Neighbours are whole steps of loops apart: the fields of
/// a structure are not. Two reads make a stencil.
void find_stencils(const Family& family, std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver,
                   const ExpressionText& text, Distances& distances);

}  // namespace lbhm::compiler
