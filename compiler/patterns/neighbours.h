// A distance as whole steps of the loops.
#pragma once

#include <optional>

#include "compiler/patterns/classify.h"

namespace lbhm::compiler {

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
