// Entry point: registers the instrumentation behind the optimiser's last pass.
#include <vector>

#include "compiler/blocks/block_counters.h"
#include "compiler/instrument/access_sites.h"
#include "compiler/instrument/emitter.h"
#include "compiler/instrument/instrumentation_plan.h"
#include "compiler/instrument/targets.h"
#include "compiler/link/buffer_symbols.h"
#include "compiler/patterns/base_notes.h"
#include "compiler/shared_passes.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

struct Instrument : PassInfoMixin<Instrument> {
  static bool isRequired() { return true; }  // also at -O0

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    Notes notes(module);
    PreservedAnalyses preserved = instrument(module, analyses, notes);
    notes.finish();
    verify(module);
    return preserved;
  }

 private:
  static PreservedAnalyses instrument(Module& module, ModuleAnalysisManager& analyses, Notes& notes) {
    auto functions = functions_to_instrument(module);
    if (functions.empty()) return PreservedAnalyses::all();
    if (!is_supported(module)) {
      explain_unsupported(module);
      return PreservedAnalyses::all();
    }
    BlockCounting counting(module);
    ModuleSymbols symbols = add_symbols(module);
    auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    ReferenceFunction reference(module);
    const TargetTransformInfo& latencies = manager.getResult<TargetIRAnalysis>(*reference);
    std::vector<SiteRecord> records;
    unsigned sites = 0;
    unsigned skipped = 0;
    for (Function* function : functions) {
      // All is decided before anything is inserted: our own code costs the program nothing.
      FunctionPlan plan = make_plan(*function, latencies, manager);
      add_records(plan, records);
      sites += plan.sites;
      skipped += plan.skipped;
      counting.count(*function, plan_blocks(*function, latencies, manager));
      emit(*function, plan, symbols);
      notes.expand(*function);
      remove_promises(*function, calls_in(plan));
      manager.invalidate(*function, PreservedAnalyses::none());
      if (!function->hasOptNone()) EarlyCSEPass().run(*function, manager);
      manager.invalidate(*function, PreservedAnalyses::none());
    }
    manager.clear(*reference, (*reference).getName());
    counting.finish();
    add_site_table(module, records);
    add_module_record(module, sites, skipped);
    return PreservedAnalyses::none();
  }
};

void register_pass(PassBuilder& builder) {
  register_shared_passes(builder);
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Instrument()); });
}

}  // namespace
}  // namespace lbhm::compiler

// Not in the header of the pass plugin's interface as visible: our own code is built with hidden symbols.
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "lbhm", LBHM_VERSION, lbhm::compiler::register_pass};
}
