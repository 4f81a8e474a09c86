// Stencils: reads of one base at neighbours of the element that the loops are at.
#pragma once

#include "compiler/patterns/expression_text.h"
#include "compiler/patterns/family.h"

namespace lbhm::compiler {

/// Marks the accesses of the family that belong to stencils. Neighbours are whole steps of loops apart: the fields of
/// a structure are not. Two reads make a stencil.
void find_stencils(const Family& family, std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver,
                   const ExpressionText& text);

}  // namespace lbhm::compiler
