// One loop nest of a function, and what analyses know of it.
#pragma once

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

namespace lbhm::compiler {

/// Null for all but phis at the head of a loop.
inline const llvm::Loop* loop_headed_by(const llvm::PHINode& phi, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(phi.getParent());
  return loop && loop->getHeader() == phi.getParent() ? loop : nullptr;
}

struct Nest {
  llvm::Function& function;
  const llvm::Loop& outermost;
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  const llvm::TargetLibraryInfo& library;
  llvm::ScalarEvolution& evolution;

  bool contains(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && outermost.contains(instruction);
  }
  const llvm::Loop* loop_of(const llvm::Instruction& instruction) const {
    return loops.getLoopFor(instruction.getParent());
  }
  const llvm::Loop* loop_headed_by(const llvm::PHINode& phi) const {
    return lbhm::compiler::loop_headed_by(phi, loops);
  }
};

}  // namespace lbhm::compiler
