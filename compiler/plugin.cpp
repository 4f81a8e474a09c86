// Entry point: registers the instrumentation behind the optimiser's last pass.
#include <cstdlib>
#include <vector>

#include "compiler/emitter.h"
#include "compiler/functions.h"
#include "compiler/module_symbols.h"
#include "compiler/patterns/find_patterns.h"
#include "compiler/patterns/note.h"
#include "compiler/plan.h"
#include "compiler/regions/mark.h"
#include "compiler/site_table.h"
#include "compiler/target.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

void verify(const Module& module) {
  const char* wanted = std::getenv("LBHM_PLUGIN_VERIFY");
  if (!wanted || StringRef(wanted) == "0") return;
  if (verifyModule(module, &errs()))
    report_fatal_error("lbhm-plugin made an invalid module; please report the source file");
}

/// LBHM_PLUGIN_PARTS=patterns: programs for real machines, with their access patterns but not instrumented.
bool wants_instrumentation() {
  const char* parts = std::getenv("LBHM_PLUGIN_PARTS");
  return !parts || StringRef(parts) != "patterns";
}

/// An empty function for a processor whose latencies stand for those of all x86 ones: the one for which LLVM's tables
/// are most complete.
Function* make_reference(Module& module) {
  auto* type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  auto* function = Function::Create(type, GlobalValue::ExternalLinkage, Twine(own_prefix) + "reference", module);
  if (Triple(module.getTargetTriple()).isX86()) function->addFnAttr("target-cpu", "skylake-avx512");
  return function;
}

struct Instrument : PassInfoMixin<Instrument> {
  static bool isRequired() { return true; }  // also at -O0

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    Notes notes(module);
    PreservedAnalyses preserved =
        wants_instrumentation() ? instrument(module, analyses, notes) : PreservedAnalyses::none();
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
    ModuleSymbols symbols = add_symbols(module);
    auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    Function* reference = make_reference(module);
    const TargetTransformInfo& latencies = manager.getResult<TargetIRAnalysis>(*reference);
    std::vector<SiteRecord> records;
    unsigned sites = 0;
    unsigned skipped = 0;
    for (Function* function : functions) {
      FunctionPlan plan = make_plan(*function, latencies, manager);
      add_records(plan, records);
      sites += plan.sites;
      skipped += plan.skipped;
      emit(*function, plan, symbols);
      notes.expand(*function);
      remove_promises(*function, plan);
      manager.invalidate(*function, PreservedAnalyses::none());
      if (!function->hasOptNone()) EarlyCSEPass().run(*function, manager);
      manager.invalidate(*function, PreservedAnalyses::none());
    }
    manager.clear(*reference, reference->getName());
    reference->eraseFromParent();
    add_site_table(module, records);
    add_module_record(module, sites, skipped);
    return PreservedAnalyses::none();
  }
};

void register_pass(PassBuilder& builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) passes.addPass(FindPatterns());
    if (MarkRegions::wanted()) passes.addPass(MarkRegions());
  });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Instrument()); });
}

}  // namespace
}  // namespace lbhm::compiler

// Not in the header of the pass plugin's interface as visible: our own code is built with hidden symbols.
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "lbhm", "0.1.0", lbhm::compiler::register_pass};
}
