#include "compiler/calls.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// A library function from numbers to numbers (sqrt, pow): it neither calls back nor looks at the buffer.
bool is_arithmetic(const CallBase& call, const TargetLibraryInfo& library) {
  LibFunc function;
  if (!library.getLibFunc(call, function) || !call.getType()->isFloatingPointTy()) return false;
  return all_of(call.args(), [](const Use& argument) { return !argument->getType()->isPointerTy(); });
}

bool runs_other_code(const CallBase& call, const TargetLibraryInfo& library) {
  if (call.isInlineAsm() || isa<CallBrInst>(call)) return false;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return !intrinsic->hasFnAttr(Attribute::NoCallback);
  return !is_arithmetic(call, library);
}

/// A call whose result, if any, is returned at once. Reloading behind it would cost the program its tail call.
bool is_in_tail_position(const CallBase& call) {
  const auto* plain = dyn_cast<CallInst>(&call);
  if (!plain || !plain->isTailCall()) return false;
  const auto* next = dyn_cast_or_null<ReturnInst>(plain->getNextNonDebugInstruction());
  return next &&
         (!next->getReturnValue() || next->getReturnValue() == plain || isa<UndefValue>(next->getReturnValue()));
}

}  // namespace

Boundary boundary_of(const Instruction& instruction, const TargetLibraryInfo& library) {
  if (isa<ResumeInst>(instruction)) return Boundary::leave;
  if (isa<ReturnInst>(instruction)) {
    const auto* before = dyn_cast_or_null<CallInst>(instruction.getPrevNonDebugInstruction());
    return before && boundary_of(*before, library) == Boundary::leave ? Boundary::after : Boundary::leave;
  }
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !runs_other_code(*call, library)) return Boundary::none;
  if (isa<InvokeInst>(call)) return Boundary::raise;
  if (call->isMustTailCall() || is_in_tail_position(*call)) return Boundary::leave;
  return call->doesNotReturn() && isa_and_nonnull<UnreachableInst>(call->getNextNonDebugInstruction()) ? Boundary::leave
                                                                                                       : Boundary::call;
}

bool hands_out_order(const Instruction& instruction) {
  return isa<AtomicCmpXchgInst>(instruction) || (isa<AtomicRMWInst>(instruction) && !instruction.use_empty());
}

}  // namespace lbhm::compiler
