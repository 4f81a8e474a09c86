#include "compiler/regions/region_marks.h"

#include <cstdlib>
#include <optional>

#include "compiler/instrument/targets.h"
#include "compiler/link/buffer_symbols.h"
#include "compiler/link/runtime_lookup.h"
#include "compiler/regions/region_records.h"
#include "lbhm/code_regions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

constexpr const char* marker_prefix = "region_";

/// Hands on to where `pointer` leads.
Function* entrance(MergedSymbols& merged, const char* name, GlobalVariable* pointer) {
  return merged.forwarder(name, {merged.pointer, merged.pointer}, pointer);
}

StringRef called(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : "";
}

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

RegionEntrances add_region_entrances(Module& module) {
  MergedSymbols merged(module);
  GlobalVariable* begin = merged.variable(merged.pointer, "region_begin_pointer");
  GlobalVariable* end = merged.variable(merged.pointer, "region_end_pointer");
  GlobalVariable* unwound = merged.variable(merged.pointer, "region_unwound_pointer");
  LookupWriter writer(merged, "regions_lookup");
  writer.begin_look_up();
  merged.write_to(begin, writer.symbol(LBHM_REGION_BEGIN_NAME));
  merged.write_to(end, writer.symbol(LBHM_REGION_END_NAME));
  merged.write_to(unwound, writer.symbol(LBHM_REGION_UNWOUND_NAME));
  writer.give_section(writer.symbol(LBHM_REGIONS_NAME), LBHM_REGIONS_SECTION, "regions_given", {});
  writer.finish();
  return {entrance(merged, "region_begin", begin), entrance(merged, "region_end", end),
          entrance(merged, "region_unwound", unwound)};
}

bool is_region_marker(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* called = call ? call->getCalledFunction() : nullptr;
  StringRef name = called ? called->getName() : "";
  return name.consume_front(plugin_prefix) && name.starts_with(marker_prefix);
}

/// A byte in the frame: its address says which frame this is. (llvm.frameaddress would cost the function a register.)
AllocaInst* Markers::frame_mark() {
  if (frame) return frame;
  BasicBlock& entry = function.getEntryBlock();
  frame = new AllocaInst(Type::getInt8Ty(function.getContext()), function.getDataLayout().getAllocaAddrSpace(),
                         "lbhm.frame", entry.getFirstInsertionPt());
  return frame;
}

/// Calls that touch no memory that the program knows: what the optimiser holds in registers may stay there.
void Markers::call(Instruction& before, Function* entrance, Constant* record) {
  IRBuilder<> builder(&before);
  builder.SetCurrentDebugLocation(before.getDebugLoc());
  if (!before.getDebugLoc() && function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), 0, 0, function.getSubprogram()));
  if (!record) record = ConstantPointerNull::get(builder.getPtrTy());
  CallInst* made = builder.CreateCall(entrance, {record, frame_mark()});
  made->setOnlyAccessesInaccessibleMemory();
  made->setDoesNotThrow();
  made->addFnAttr(Attribute::NoMerge);
  made->addParamAttr(1, Attribute::NoCapture);
}

void Markers::around(const Loop& loop, GlobalVariable* record) {
  call(*loop.getLoopPreheader()->getTerminator(), entrances.begin, record);
  SmallVector<BasicBlock*, 8> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock* exit : exits) call(*exit->getFirstInsertionPt(), entrances.end, record);
}

void Markers::around_function(GlobalVariable* record) {
  SmallVector<Instruction*, 4> ends;
  for (BasicBlock& block : function) {
    if (CallInst* last = block.getTerminatingMustTailCall())
      ends.push_back(last);
    else if (isa<ReturnInst, ResumeInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  }
  // Behind the frame's variables, which must stay in front.
  Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Instruction* end : ends) call(*end, entrances.end, record);
  call(*first, entrances.begin, record);
}

SmallVector<Instruction*, 4> Markers::places_after_unwinding() {
  SmallVector<Instruction*, 4> places;
  for (BasicBlock& block : function) {
    if (block.isLandingPad()) places.push_back(&*block.getFirstInsertionPt());
    for (Instruction& instruction : block) {
      const auto* call = dyn_cast<CallInst>(&instruction);
      if (call && call->canReturnTwice()) places.push_back(instruction.getNextNode());
    }
  }
  return places;
}

const Loop* Markers::outermost(const LoopInfo& loops, const BasicBlock& block) {
  const Loop* loop = loops.getLoopFor(&block);
  return loop ? loop->getOutermostLoop() : nullptr;
}

bool is_parallel_body(const Function& function) {
  return any_of(function.users(), [&](const User* user) {
    const auto* call = dyn_cast<CallBase>(user);
    return call && called(*call).starts_with("__kmpc_fork_call") && call->hasArgument(&function);
  });
}

bool is_worksharing(const Loop& loop, const DominatorTree& dominators) {
  for (const BasicBlock* block : loop.blocks()) {
    if (any_of(*block, [](const Instruction& i) { return called(i).starts_with("__kmpc_dispatch_next"); })) return true;
  }
  // A static schedule: between the calls of init and fini. The last of them on every way to the loop decides.
  const DomTreeNode* node = dominators.getNode(loop.getHeader());
  for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
    for (const Instruction& instruction : reverse(*node->getBlock())) {
      StringRef name = called(instruction);
      if (name.starts_with("__kmpc_for_static_init") || name.starts_with("__kmpc_dist_for_static_init")) return true;
      if (name.starts_with("__kmpc_for_static_fini")) return false;
    }
  }
  return false;
}

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
