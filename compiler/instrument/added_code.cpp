#include "compiler/instrument/added_code.h"

#include "compiler/link/buffer_symbols.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// A load, an extension, a comparison, a branch: what we add is no longer than that.
constexpr unsigned longest_added = 4;

bool is_added_variable(const Value* pointer) {
  const auto* global = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer));
  return global && global->getName().starts_with(any_plugin_prefix);
}

bool is_added(const Instruction& instruction, unsigned depth) {
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* called = call->getCalledFunction();
    return called && called->getName().starts_with(any_plugin_prefix);
  }
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return is_added_variable(update->getPointerOperand());
  if (const Value* pointer = getLoadStorePointerOperand(&instruction)) return is_added_variable(pointer);
  if (isa<GetElementPtrInst>(instruction)) return is_added_variable(&instruction);
  if (depth == 0 || !isa<BinaryOperator, CastInst, CmpInst, BranchInst>(instruction)) return false;
  return any_of(instruction.operands(), [&](const Use& operand) {
    const auto* from = dyn_cast<Instruction>(operand);
    return from && is_added(*from, depth - 1);
  });
}

}  // namespace

bool is_added(const Instruction& instruction) { return is_added(instruction, longest_added); }

Variables::Variables(Function& of) : function(of) {
  BasicBlock& entry = function.getEntryBlock();
  SmallVector<AllocaInst*, 16> allocas;
  for (Instruction& instruction : entry) {
    auto* alloca = dyn_cast<AllocaInst>(&instruction);
    if (alloca && alloca->isStaticAlloca()) allocas.push_back(alloca);
  }
  for (AllocaInst* alloca : reverse(allocas)) alloca->moveBefore(entry, entry.begin());
  first = &*entry.getFirstNonPHIOrDbgOrAlloca();
}

AllocaInst* Variables::add(Type* type, const Twine& name) {
  IRBuilder<> top(&*function.getEntryBlock().begin());
  all.push_back(top.CreateAlloca(type, nullptr, name));
  return all.back();
}

AllocaInst* Variables::number(const Twine& name, std::uint64_t initial) {
  AllocaInst* made = add(Type::getInt64Ty(function.getContext()), name);
  IRBuilder<> top(made->getNextNode());
  top.CreateStore(top.getInt64(initial), made);
  return made;
}

Instruction* Variables::start_of(BasicBlock& block) const {
  return &block == &function.getEntryBlock() ? first : &*block.getFirstInsertionPt();
}

void Variables::promote() {
  DominatorTree dominators(function);
  PromoteMemToReg(all, dominators);
}

Value* thread_local_address(IRBuilderBase& builder, GlobalVariable& of) {
  const Module& module = *of.getParent();
  const bool library = module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default;
  return library ? builder.CreateThreadLocalAddress(&of) : static_cast<Value*>(&of);
}

}  // namespace lbhm::compiler
