// Where the counters of instructions, accesses, vectors and branches are added up.
//
// Every block adds constants. In an innermost loop without calls that would cost several additions a block; there each
// class of blocks that run equally often has one trip count, and the constants are multiplied in when the loop is left.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace lbhm::compiler {

/// What one run of a block adds to the counters. Counted in the program's own code, before the instrumentation.
struct BlockCost {
  std::uint64_t instructions = 0;
  std::uint64_t accesses = 0;
  std::uint64_t vectors = 0;
  std::uint64_t branches = 0;

  BlockCost& operator+=(const BlockCost& other) {
    instructions += other.instructions;
    accesses += other.accesses;
    vectors += other.vectors;
    branches += other.branches;
    return *this;
  }
};

using BlockCosts = llvm::MapVector<llvm::BasicBlock*, BlockCost>;

/// Blocks of a loop that always run equally often, counted in the first of them.
struct TripCount {
  llvm::BasicBlock* leader;
  BlockCost cost;
};

struct CountedLoop {
  llvm::SmallVector<TripCount, 4> trips;
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> blocks;
};

/// Moves the costs of blocks in innermost loops into counted loops; blocks in `crossed` hold calls.
std::vector<CountedLoop> count_loops(const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                                     const llvm::PostDominatorTree& postdominators,
                                     const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& crossed, BlockCosts& costs);

}  // namespace lbhm::compiler
