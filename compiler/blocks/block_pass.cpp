#include "compiler/blocks/block_pass.h"

#include "compiler/blocks/block_counters.h"
#include "compiler/instrument/instrumentation_plan.h"
#include "compiler/instrument/targets.h"
#include "compiler/patterns/base_notes.h"
#include "llvm/IR/InstIterator.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

SmallVector<CallBase*, 16> calls_of_other_code(Function& function, const TargetLibraryInfo& library) {
  SmallVector<CallBase*, 16> found;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call && boundary_of(*call, library) != Boundary::none) found.push_back(call);
  }
  return found;
}

struct CountBlocks : PassInfoMixin<CountBlocks> {
  static bool isRequired() { return true; }  // also at -O0

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    Notes notes(module);
    count(module, analyses);
    notes.finish();
    verify(module);
    return PreservedAnalyses::none();
  }

 private:
  static void count(Module& module, ModuleAnalysisManager& analyses) {
    const auto functions = functions_to_instrument(module);
    if (functions.empty()) return;
    if (!is_supported(module)) return explain_unsupported(module);
    auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    BlockCounting counting(module);
    {
      const ReferenceFunction reference(module);
      const auto& latencies = manager.getResult<TargetIRAnalysis>(*reference);
      for (Function* function : functions) count(*function, counting, latencies, manager);
      manager.clear(*reference, (*reference).getName());
    }
    counting.finish();
  }

  static void count(Function& function, BlockCounting& counting, const TargetTransformInfo& latencies,
                    FunctionAnalysisManager& manager) {
    counting.count(function, plan_blocks(function, latencies, manager));
    remove_promises(function, calls_of_other_code(function, manager.getResult<TargetLibraryAnalysis>(function)));
    manager.invalidate(function, PreservedAnalyses::none());
  }
};

}  // namespace

void register_block_counting(PassBuilder& builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(CountBlocks()); });
}

}  // namespace lbhm::compiler
