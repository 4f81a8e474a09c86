// The pass that finds a module's code regions and marks them, in the middle of the optimiser: behind inlining and the
// clean-up of loops, in front of vectorisation, which turns one loop into several.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

struct MarkRegions : llvm::PassInfoMixin<MarkRegions> {
  static bool isRequired() { return true; }  // also at -O0
  /// LBHM_PLUGIN_REGIONS=1 in the compiler's environment.
  static bool wanted();
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lbhm::compiler
