#include "compiler/patterns/find_patterns.h"

#include "compiler/functions.h"
#include "compiler/patterns/copies.h"
#include "compiler/patterns/module_text.h"
#include "compiler/patterns/note.h"
#include "compiler/patterns/symbols.h"
#include "compiler/patterns/trace.h"
#include "compiler/section.h"
#include "compiler/target.h"
#include "lbhm/compiled_patterns.h"
#include "llvm/Analysis/AssumptionCache.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

void read_function(Function& function, FunctionAnalysisManager& manager, std::vector<NestPatterns>& nests) {
  auto& loops = manager.getResult<LoopAnalysis>(function);
  if (function.hasOptNone()) return;
  StandIns stand_ins;
  find_copies(function, stand_ins, manager, nests);
  if (loops.empty()) return;
  auto& library = manager.getResult<TargetLibraryAnalysis>(function);
  auto& dominators = manager.getResult<DominatorTreeAnalysis>(function);
  // Of our own: nobody else is to see the stand-ins.
  ScalarEvolution evolution(function, library, manager.getResult<AssumptionAnalysis>(function), dominators, loops);
  auto& frequencies = manager.getResult<BlockFrequencyAnalysis>(function);
  for (const Loop* loop : reverse(loops)) {
    Nest nest{function, *loop, loops, dominators, library, evolution};
    if (auto found = find_patterns(nest, stand_ins, frequencies)) nests.push_back(std::move(*found));
  }
}

void place_notes(const std::vector<NestPatterns>& nests, std::uint64_t id) {
  unsigned number = 0;
  for (const NestPatterns& nest : nests) {
    for (const Base& base : nest.bases) {
      for (const NotePlace& place : base.places) place_note(*place.before, id, number, place.path);
      ++number;
    }
  }
}

}  // namespace

PreservedAnalyses FindPatterns::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!is_supported(module)) return PreservedAnalyses::all();
  auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::vector<NestPatterns> nests;
  for (Function* function : functions_to_instrument(module)) read_function(*function, manager, nests);
  if (nests.empty()) return PreservedAnalyses::all();
  ModuleText text = module_text(module, nests);
  if (is_tracing()) add_trace(module, nests, text.id, manager);
  place_notes(nests, text.id);
  pattern_symbols(module);
  add_to_section(module, LBHM_PATTERNS_SECTION, ConstantDataArray::getString(module.getContext(), text.text), Align(1),
                 "patterns");
  return PreservedAnalyses::none();
}

}  // namespace lbhm::compiler
