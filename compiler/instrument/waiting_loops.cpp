#include "compiler/instrument/waiting_loops.h"

#include "compiler/instrument/added_code.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Others' stores are to be seen behind it: a fence, `#pragma omp flush`, `_mm_pause`, assembly that may change memory.
bool is_barrier(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->mayWriteToMemory()) return isa<FenceInst>(instruction);
  const Function* called = call->getCalledFunction();
  const auto is_pointer = [](const Use& word) { return word->getType()->isPointerTy(); };
  return call->isInlineAsm() || (called && called->getName() == "__kmpc_flush") ||
         (isa<IntrinsicInst>(call) && none_of(call->args(), is_pointer));
}

void add_places_of(const Loop& loop, Places& places) {
  bool barrier = false;
  SmallVector<const LoadInst*, 4> looks;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& each : *block) {
      if (is_barrier(each))
        barrier = true;
      else if (const auto* load = dyn_cast<LoadInst>(&each))
        looks.push_back(load);
      else if (each.mayWriteToMemory() && !is_added(each))
        return;
    }
  }
  for (const LoadInst* look : looks) {
    if ((barrier || look->isAtomic()) && loop.isLoopInvariant(look->getPointerOperand()))
      places.insert(look->getPointerOperand());
  }
}

}  // namespace

Places places_waited_for(const LoopInfo& loops) {
  Places places;
  for (const Loop* loop : loops.getLoopsInPreorder()) add_places_of(*loop, places);
  return places;
}

}  // namespace lbhm::compiler
