// Which counters a function gets, and where each is counted; decided before anything is changed.
#pragma once

#include <memory>
#include <vector>

#include "compiler/blocks/equivalence.h"
#include "compiler/instrument/instruction_cost.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

/// The fields of a struct lbhm_block that the function's code decides.
struct StaticBlockFacts {
  std::uint64_t per_call = 0;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  std::uint32_t instructions = 0;
  std::uint32_t slots = 0;
  std::uint32_t bytes = 0;
  std::uint32_t depth = 0;
  std::uint32_t flags = 0;
};

struct BlockCounter {
  StaticBlockFacts facts;
  Piece leader;
  std::optional<Trips> trips;        ///< counted in front of a loop; else one by one where the leader begins
  const llvm::Loop* nest = nullptr;  ///< counted in a register until this loop is left; null: in memory
};

struct BlockPlan {
  std::vector<BlockCounter> counters;
  std::unique_ptr<llvm::SCEVExpander> expander;
};

/// `reference`: whose latencies stand for those of all processors.
BlockPlan plan_blocks(llvm::Function& function, const llvm::TargetTransformInfo& reference,
                      llvm::FunctionAnalysisManager& analyses);

// What one execution of some blocks costs and where their source is.

StaticBlockFacts facts_of(const PieceClass& pieces, const CostModel& model, const llvm::TargetLibraryInfo& library);

}  // namespace lbhm::compiler
