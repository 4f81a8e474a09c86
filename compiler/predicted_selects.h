// Which selections the code generator makes branches of, behind the plugin.
//
// x86 has conditional moves, but a move waits for its condition and a predicted branch does not. In innermost loops
// LLVM compares the depth of the loop with and without waiting, and makes a branch of a move whose condition comes late
// (the pass X86CmovConversion); such a branch is mispredicted like any other. A move that loads one of its values is
// always made a branch, in all code.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"

namespace lbhm::compiler {

class CostModel;

using PredictedSelects = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

/// Of the function's scalar selections, and minima and maxima of integers, those that will be branches. None
/// for targets other than x86-64, and in functions that are not optimised.
PredictedSelects find_predicted_selects(const llvm::Function& function, const CostModel& model);

}  // namespace lbhm::compiler
