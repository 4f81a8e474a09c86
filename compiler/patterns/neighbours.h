// Rows behind a table of pointers (double**) as the rows of one matrix: neighbours in other rows make a stencil.
#pragma once

#include <optional>
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

// A distance as whole steps of the loops.

/// Nothing if the distance is not made of whole steps.
std::optional<Neighbour> in_steps(const llvm::SCEV* distance, llvm::ArrayRef<Step> steps,
                                  llvm::ScalarEvolution& evolution);

/// The other way round: bytes.
const llvm::SCEV* distance_of(const Neighbour& neighbour, llvm::ArrayRef<Step> steps, llvm::Type* type,
                              llvm::ScalarEvolution& evolution);

/// The one in the middle of the stencil: of the places written and read, and the one half way between the outermost,
/// that around which most reads have their mirror image.
Neighbour centre_of(llvm::ArrayRef<Neighbour> reads, llvm::ArrayRef<Neighbour> writes);

}  // namespace lbhm::compiler
