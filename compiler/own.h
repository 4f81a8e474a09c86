// Which instructions are our own, added before the instrumentation: they are neither counted nor instrumented.
#pragma once

#include "llvm/IR/Instruction.h"

namespace lbhm::compiler {

/// Calls of functions with our prefix, accesses to variables with it, and what is computed from such loads alone: a
/// look at a switch with its branch, a counter that is increased.
bool is_own(const llvm::Instruction& instruction);

}  // namespace lbhm::compiler
