// What both plugins look at in the middle of the optimiser.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace lbhm::compiler {

/// Access patterns and code regions.
void register_shared_passes(llvm::PassBuilder& builder);

}  // namespace lbhm::compiler
