#include "compiler/shared_passes.h"

#include "compiler/patterns/find_patterns.h"
#include "compiler/regions/region_marks.h"

namespace lbhm::compiler {

using namespace llvm;

void register_shared_passes(PassBuilder& builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) passes.addPass(FindPatterns());
    if (MarkRegions::wanted()) passes.addPass(MarkRegions());
  });
}

}  // namespace lbhm::compiler
