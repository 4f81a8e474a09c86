// What one execution of some blocks costs and where their source is.
#pragma once

#include "compiler/blocks/block_plan.h"
#include "compiler/cost.h"

namespace lbhm::compiler {

BlockFacts facts_of(const PieceClass& pieces, const CostModel& model, const llvm::TargetLibraryInfo& library);

}  // namespace lbhm::compiler
