// What clang makes of OpenMP's constructs: functions for parallel ones, calls around worksharing loops.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace lbhm::compiler {

/// Whether the function is the body of a parallel construct.
bool is_parallel_body(const llvm::Function& function);

/// Whether the outermost loop runs over a thread's share of a worksharing loop, or hands such shares out.
bool is_worksharing(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

}  // namespace lbhm::compiler
