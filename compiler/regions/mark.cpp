#include "compiler/regions/mark.h"

#include <cstdlib>
#include <optional>

#include "compiler/functions.h"
#include "compiler/regions/markers.h"
#include "compiler/regions/openmp.h"
#include "compiler/regions/records.h"
#include "compiler/regions/shape.h"
#include "compiler/target.h"
#include "lbhm/code_regions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// File and line, as far as the module was compiled with them.
template <class Where>
void place(RegionNote& note, const Where& where) {
  if (!where) return;
  note.file = region_file(where->getDirectory(), where->getFilename());
  note.line = where->getLine();
}

/// Of a loop that was inlined, where it was called from: in the function's own source.
const DILocation* outermost_place(const DILocation* inner) {
  while (inner && inner->getInlinedAt()) inner = inner->getInlinedAt();
  return inner;
}

/// One function's regions.
class FunctionMarker {
 public:
  FunctionMarker(Function& of, RegionRecords& book, FunctionAnalysisManager& analyses)
      : function(of),
        records(book),
        loops(analyses.getResult<LoopAnalysis>(of)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(of)) {}

  void mark(const RegionEntrances& entrances) {
    Markers markers(function, entrances);
    // Shapes and numbers first: the calls must not become part of them.
    GlobalVariable* body = is_parallel_body(function) ? note_body() : nullptr;
    SmallVector<const Loop*, 8> marked = note_loops();
    for (const Loop* loop : marked) markers.around(*loop, of_header[loop->getHeader()]);
    markers.after_unwinding(loops, [&](const Loop* loop) -> GlobalVariable* {
      return loop ? of_header.lookup(loop->getHeader()) : nullptr;
    });
    if (body) markers.around_function(body);
  }

 private:
  /// Its shape is that of its loops: the code around them differs with and without -g.
  GlobalVariable* note_body() {
    SmallVector<BasicBlock*, 32> blocks;
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
      if (loops.getLoopFor(block)) blocks.push_back(block);
    }
    RegionNote note{&function, "parallel", shape_of(blocks), "", 0, LBHM_REGION_PARALLEL, true};
    place(note, function.getSubprogram());
    return records.add(note);
  }

  /// In the order in which control comes to them. Returns those that can be marked.
  SmallVector<const Loop*, 8> note_loops() {
    SmallVector<const Loop*, 8> marked;
    unsigned number = 0;
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
      const Loop* loop = loops.getLoopFor(block);
      if (!loop || loop->getParentLoop() || loop->getHeader() != block) continue;
      const std::uint16_t kind = is_worksharing(*loop, dominators) ? LBHM_REGION_WORKSHARING : LBHM_REGION_LOOP;
      const bool markable = loop->isLoopSimplifyForm();
      RegionNote note{&function, std::to_string(number++), shape_of(loop->getBlocks()), "", 0, kind, markable};
      place(note, outermost_place(loop->getStartLoc()));
      GlobalVariable* record = records.add(note);
      if (!markable) continue;
      of_header[block] = record;
      marked.push_back(loop);
    }
    return marked;
  }

  Function& function;
  RegionRecords& records;
  const LoopInfo& loops;
  const DominatorTree& dominators;
  DenseMap<const BasicBlock*, GlobalVariable*> of_header;
};

/// Whether frames of other functions may be found gone in this one.
bool catches(const Function& function) {
  return function.hasPersonalityFn() || function.callsFunctionThatReturnsTwice();
}

}  // namespace

bool MarkRegions::wanted() {
  const char* wish = std::getenv("LBHM_PLUGIN_REGIONS");
  return wish && StringRef(wish) == "1";
}

PreservedAnalyses MarkRegions::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  if (!is_supported(module)) return PreservedAnalyses::all();
  RegionRecords records(module);
  std::optional<RegionEntrances> entrances;
  for (Function* function : functions_to_instrument(module)) {
    manager.invalidate(*function, LoopSimplifyPass().run(*function, manager));
    const bool loops = !manager.getResult<LoopAnalysis>(*function).empty();
    if (!loops && !is_parallel_body(*function) && !catches(*function)) continue;
    if (!entrances) entrances = add_region_entrances(module);
    FunctionMarker(*function, records, manager).mark(*entrances);
    manager.invalidate(*function, PreservedAnalyses::none());
  }
  records.keep();
  return entrances ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace lbhm::compiler
