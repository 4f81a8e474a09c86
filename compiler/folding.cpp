#include "compiler/folding.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

const Instruction* only_user_nearby(const Instruction& value) {
  if (!value.hasOneUse()) return nullptr;
  const auto* user = cast<Instruction>(value.user_back());
  return user->getParent() == value.getParent() ? user : nullptr;
}

/// Of a fused multiplication: one operand may be in memory.
const Value* last_load_of(const Instruction& fused) {
  for (unsigned index : {2U, 1U, 0U}) {
    const auto* load = dyn_cast<LoadInst>(fused.getOperand(index));
    if (load && load->hasOneUse()) return load;
  }
  return nullptr;
}

/// Whether the operation is the last to need the value, in a register.
bool is_free_after(const Value& value, const Instruction& operation, const LoopInfo& loops) {
  const auto* made = dyn_cast<Instruction>(&value);
  if (!made || loops.getLoopFor(made->getParent()) != loops.getLoopFor(operation.getParent())) return false;
  const auto* load = dyn_cast<LoadInst>(made);
  if (load && is_memory_operand(*load, false)) return false;
  return all_of(made->users(), [&](const User* user) {
    const auto* other = cast<Instruction>(user);
    return other == &operation ||
           (other->getParent() == operation.getParent() && !isa<PHINode>(other) && other->comesBefore(&operation));
  });
}

}  // namespace

bool is_fused_multiply(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic &&
         (intrinsic->getIntrinsicID() == Intrinsic::fma || intrinsic->getIntrinsicID() == Intrinsic::fmuladd);
}

bool is_memory_operand(const LoadInst& load, bool wide) {
  const Instruction* user = only_user_nearby(load);
  if (!user || load.isVolatile() || load.isAtomic()) return false;
  if (load.getType()->isVectorTy() && !wide && load.getAlign() < Align(16)) return false;
  if (is_fused_multiply(*user)) return &load == last_load_of(*user);
  if (!isa<BinaryOperator, CmpInst>(user) || user->isShift()) return false;
  if (user->getOperand(1) == &load) return true;
  const auto* other = dyn_cast<LoadInst>(user->getOperand(1));
  return (user->isCommutative() || isa<CmpInst>(user)) && !(other && is_memory_operand(*other, wide));
}

bool needs_copy(const Instruction& operation, const LoopInfo& loops) {
  if (!isa<BinaryOperator>(operation)) return false;
  if (!operation.getType()->isFPOrFPVectorTy() && !operation.getType()->isVectorTy()) return false;
  if (is_free_after(*operation.getOperand(0), operation, loops)) return false;
  return !(operation.isCommutative() && is_free_after(*operation.getOperand(1), operation, loops));
}

bool is_update_in_memory(const Instruction& operation) {
  const auto* store = dyn_cast_or_null<StoreInst>(only_user_nearby(operation));
  if (!isa<BinaryOperator>(operation) || !operation.getType()->isIntegerTy() || !store ||
      store->getValueOperand() != &operation)
    return false;
  return any_of(operation.operands(), [&](const Use& operand) {
    const auto* load = dyn_cast<LoadInst>(operand);
    return load && only_user_nearby(*load) == &operation && load->getPointerOperand() == store->getPointerOperand();
  });
}

bool is_part_of_branch(const Instruction& instruction) {
  const Instruction* user = only_user_nearby(instruction);
  if (!user) return false;
  if (isa<ICmpInst>(instruction)) return isa<BranchInst>(user);
  return instruction.getOpcode() == Instruction::And && isa<ICmpInst>(user) &&
         PatternMatch::match(user->getOperand(1), PatternMatch::m_Zero());
}

}  // namespace lbhm::compiler
