// What the code generator does behind the plugin, as far as it changes what code costs.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

// Which instructions the code generator makes part of others.

/// A multiplication and addition that may be one instruction.
bool is_fused_multiply(const llvm::Instruction& instruction);

/// A load that becomes the memory operand of the one operation that uses it. `wide`: also loads of vectors whose
/// alignment is not known (AVX).
bool is_memory_operand(const llvm::LoadInst& load, bool wide);

/// An operation between a load and a store at the same address (`add [mem], reg`).
bool is_update_in_memory(const llvm::Instruction& operation);

/// Whether an operation of floating-point numbers or vectors must copy an operand first: its result takes the place of
/// that operand, which is used again. All instructions before AVX are like that.
bool needs_copy(const llvm::Instruction& operation, const llvm::LoopInfo& loops);

/// A comparison that only its block's branch uses, or an `and` that only a comparison with 0 uses (`test`).
bool is_part_of_branch(const llvm::Instruction& instruction);

// Which selections the code generator makes branches of, behind the plugin.
//
// x86 has conditional moves, but a move waits for its condition and a predicted branch does not. In innermost loops
// LLVM compares the depth of the loop with and without waiting, and makes a branch of a move whose condition comes late
// (the pass X86CmovConversion); such a branch is mispredicted like any other. A move that loads one of its values is
// always made a branch, in all code.

class CostModel;

using PredictedSelects = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

/// Of the function's scalar selections, and minima and maxima of integers, those that will be branches. None
/// for targets other than x86-64, and in functions that are not optimised.
PredictedSelects find_predicted_selects(const llvm::Function& function, const CostModel& model);

}  // namespace lbhm::compiler
