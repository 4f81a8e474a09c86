#include "compiler/regions/markers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

using namespace llvm;

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

}  // namespace lbhm::compiler
