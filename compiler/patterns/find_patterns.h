// The pass that finds the access patterns of a module.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

/// To run before loops are unrolled and vectorised. Adds the module's text and the notes of its bases.
struct FindPatterns : llvm::PassInfoMixin<FindPatterns> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lbhm::compiler
