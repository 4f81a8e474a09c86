#include "compiler/locals.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace lbhm::compiler {

using namespace llvm;

Locals::Locals(Function& of, const ModuleSymbols& with) : function(of), symbols(with), thread(with.thread) {
  BasicBlock& entry = function.getEntryBlock();
  SmallVector<AllocaInst*, 16> allocas;
  for (Instruction& instruction : entry) {
    auto* alloca = dyn_cast<AllocaInst>(&instruction);
    if (alloca && alloca->isStaticAlloca()) allocas.push_back(alloca);
  }
  for (AllocaInst* alloca : reverse(allocas)) alloca->moveBefore(entry, entry.begin());
  body = &*entry.getFirstNonPHIOrDbgOrAlloca();
  // In a shared library every use of a thread-local is a call: there it is made once. In a program it is an offset.
  const Module& module = *function.getParent();
  if (module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default) {
    thread = IRBuilder<>(body).CreateThreadLocalAddress(symbols.thread);
  }
}

AllocaInst* Locals::variable(const Twine& name, std::uint64_t initial) {
  IRBuilder<> top(&*function.getEntryBlock().begin());
  auto* made = top.CreateAlloca(top.getInt64Ty(), nullptr, name);
  top.CreateStore(top.getInt64(initial), made);
  variables.push_back(made);
  return made;
}

AllocaInst* Locals::next() {
  if (next_variable) return next_variable;
  IRBuilder<> top(&*function.getEntryBlock().begin());
  next_variable = top.CreateAlloca(top.getPtrTy(), nullptr, "lbhm.next");
  if (auto* address = dyn_cast<Instruction>(thread)) top.SetInsertPoint(address->getNextNode());
  reload(top);
  variables.push_back(next_variable);
  return next_variable;
}

Instruction* Locals::start_of(BasicBlock& block) const {
  return &block == &function.getEntryBlock() ? body : &*block.getFirstInsertionPt();
}

Value* Locals::field(IRBuilder<>& builder, ThreadField which) const {
  return builder.CreateStructGEP(symbols.thread_type, thread, which);
}

void Locals::add(IRBuilder<>& builder, ThreadField counter, Value* value) {
  Value* there = field(builder, counter);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), there), value), there);
}

void Locals::write_back(IRBuilder<>& builder) {
  if (!next_variable) return;
  builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), next_variable), field(builder, field_next));
}

void Locals::reload(IRBuilder<>& builder) {
  if (!next_variable) return;
  builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), field(builder, field_next)), next_variable);
}

void Locals::promote() {
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

}  // namespace lbhm::compiler
