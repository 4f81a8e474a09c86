#include "compiler/locals.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace lbhm::compiler {

using namespace llvm;

Locals::Locals(Function& of, const ModuleSymbols& with, ArrayRef<ThreadField> in_registers)
    : function(of), symbols(with), thread(with.thread) {
  BasicBlock& entry = function.getEntryBlock();
  SmallVector<AllocaInst*, 16> allocas;
  for (Instruction& instruction : entry) {
    auto* alloca = dyn_cast<AllocaInst>(&instruction);
    if (alloca && alloca->isStaticAlloca()) allocas.push_back(alloca);
  }
  for (AllocaInst* alloca : reverse(allocas)) alloca->moveBefore(entry, entry.begin());
  body = &*entry.getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> builder(body);
  // In a shared library every use of a thread-local is a call: there it is made once. In a program it is an offset.
  const Module& module = *function.getParent();
  if (module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default) {
    thread = builder.CreateThreadLocalAddress(symbols.thread);
  }
  for (ThreadField which : in_registers) registers.push_back({which, add_variable(type_of(which), "lbhm.register")});
  reload(builder);
}

AllocaInst* Locals::add_variable(Type* type, const Twine& name) {
  IRBuilder<> top(&*function.getEntryBlock().begin());
  variables.push_back(top.CreateAlloca(type, nullptr, name));
  return variables.back();
}

AllocaInst* Locals::variable(const Twine& name, std::uint64_t initial) {
  AllocaInst* made = add_variable(Type::getInt64Ty(function.getContext()), name);
  IRBuilder<> top(made->getNextNode());
  top.CreateStore(top.getInt64(initial), made);
  return made;
}

Instruction* Locals::start_of(BasicBlock& block) const {
  return &block == &function.getEntryBlock() ? body : &*block.getFirstInsertionPt();
}

Value* Locals::field(IRBuilder<>& builder, ThreadField which) const {
  return builder.CreateStructGEP(symbols.thread_type, thread, which);
}

Value* Locals::load(IRBuilder<>& builder, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  return builder.CreateLoad(type_of(which), held != registers.end() ? held->variable : field(builder, which));
}

void Locals::store(IRBuilder<>& builder, Value* value, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  builder.CreateStore(value, held != registers.end() ? held->variable : field(builder, which));
}

void Locals::add(IRBuilder<>& builder, ThreadField counter, Value* value) const {
  Value* there = field(builder, counter);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), there), value), there);
}

void Locals::write_back(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), each.variable), field(builder, each.which));
}

void Locals::reload(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), field(builder, each.which)), each.variable);
}

void Locals::promote() {
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

}  // namespace lbhm::compiler
