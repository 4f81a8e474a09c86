#include "compiler/variables.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace lbhm::compiler {

using namespace llvm;

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
