#include "compiler/own.h"

#include "compiler/module_symbols.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// A load, an extension, a comparison, a branch: what we add is no longer than that.
constexpr unsigned longest_own = 4;

bool is_own_variable(const Value* pointer) {
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer));
  return global && global->getName().starts_with(any_own_prefix);
}

bool is_own(const Instruction& instruction, unsigned depth) {
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* called = call->getCalledFunction();
    return called && called->getName().starts_with(any_own_prefix);
  }
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return is_own_variable(update->getPointerOperand());
  if (const Value* pointer = getLoadStorePointerOperand(&instruction)) return is_own_variable(pointer);
  if (isa<GetElementPtrInst>(instruction)) return is_own_variable(&instruction);
  if (depth == 0 || !isa<BinaryOperator, CastInst, CmpInst, BranchInst>(instruction)) return false;
  return any_of(instruction.operands(), [&](const Use& operand) {
    const auto* from = dyn_cast<Instruction>(operand);
    return from && is_own(*from, depth - 1);
  });
}

}  // namespace

bool is_own(const Instruction& instruction) { return is_own(instruction, longest_own); }

}  // namespace lbhm::compiler
