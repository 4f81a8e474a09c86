// Where the counters of instructions, slots, accesses, vectors and branches are added up.
//
// Every block adds constants. In an innermost loop without calls that would cost several additions a block; there each
// class of blocks that run equally often has one trip count, and the constants are multiplied in when the loop is left.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/chain.h"
#include "compiler/cost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace lbhm::compiler {

using BlockCosts = llvm::MapVector<llvm::BasicBlock*, BlockCost>;

/// Blocks of a loop that always run equally often, counted in the first of them.
struct TripCount {
  llvm::BasicBlock* leader;
  BlockCost cost;
};

struct CountedLoop {
  const llvm::Loop* loop = nullptr;
  llvm::SmallVector<TripCount, 4> trips;  ///< the first one counts the iterations
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  /// Of a loop that its chain limits: its time counts instead of its slots. Otherwise 0 cycles.
  Chain chain;
};

/// Moves the costs of blocks in innermost loops into counted loops; blocks in `crossed` hold calls.
std::vector<CountedLoop> count_loops(const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                                     const llvm::PostDominatorTree& postdominators,
                                     const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& crossed, const CostModel& model,
                                     BlockCosts& costs);

}  // namespace lbhm::compiler
