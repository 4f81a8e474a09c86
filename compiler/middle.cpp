#include "compiler/middle.h"

#include "compiler/patterns/find_patterns.h"
#include "compiler/regions/mark.h"

namespace lbhm::compiler {

using namespace llvm;

void register_middle(PassBuilder& builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) passes.addPass(FindPatterns());
    if (MarkRegions::wanted()) passes.addPass(MarkRegions());
  });
}

}  // namespace lbhm::compiler
