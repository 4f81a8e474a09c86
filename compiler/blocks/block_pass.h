// Counting without emulation: for real machines.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace lbhm::compiler {

/// Counts blocks behind the optimiser's last pass.
void register_block_counting(llvm::PassBuilder& builder);

}  // namespace lbhm::compiler
