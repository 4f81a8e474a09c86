// Which instructions the code generator makes part of others.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

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

}  // namespace lbhm::compiler
