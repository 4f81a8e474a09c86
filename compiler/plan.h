// What is to be inserted into one function, decided before anything is changed.
#pragma once

#include <utility>
#include <vector>

#include "compiler/calls.h"
#include "compiler/cluster.h"
#include "compiler/counters.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

/// Code without calls; its sites are looked at in front of `end`.
struct Segment {
  llvm::Instruction* end;
  std::vector<Site> sites;
};

/// An instruction at which the buffer's state must be in memory, and the copies that it makes.
struct Crossing {
  llvm::Instruction* at;
  Boundary kind;
  std::vector<Site> ranges;
};

/// A conditional branch one of whose successors is outside of its loop. It counts as predicted until it is left.
struct LoopExit {
  llvm::BranchInst* branch;
  unsigned successor;
};

struct FunctionPlan {
  std::vector<Segment> segments;
  std::vector<Crossing> crossings;
  BlockCosts costs;
  std::vector<CountedLoop> loops;
  std::vector<LoopExit> exits;
  std::vector<llvm::BranchInst*> branches;  ///< the other conditional branches: predicted by their last outcome
  unsigned sites = 0;
  unsigned skipped = 0;
};

FunctionPlan make_plan(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lbhm::compiler
