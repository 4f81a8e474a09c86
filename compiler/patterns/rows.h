// Rows behind a table of pointers (double**) as the rows of one matrix: neighbours in other rows make a stencil.
#pragma once

#include <utility>
#include <vector>

#include "compiler/patterns/classify.h"

namespace lbhm::compiler {

/// Addresses that have been replaced, by the access's index.
using Replaced = std::vector<std::pair<std::size_t, Address>>;

/// Gives accesses to rows, whose pointers a loop reads step by step from one table, addresses as if the rows lay one
/// behind the other, "row" elements apart: for the search for stencils, whatever the distances are. Returns the
/// addresses that they had.
Replaced join_rows(std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver, StandIns& stand_ins);

}  // namespace lbhm::compiler
