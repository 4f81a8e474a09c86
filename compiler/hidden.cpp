#include "compiler/hidden.h"

#include "compiler/module_symbols.h"

namespace lbhm::compiler {

using namespace llvm;

Hidden::Hidden(Module& target)
    : module(target), builder(target.getContext()), pointer(builder.getPtrTy()), word(builder.getInt64Ty()) {}

GlobalVariable* Hidden::variable(Type* of, const char* name) {
  auto* global = new GlobalVariable(module, of, false, GlobalValue::LinkOnceODRLinkage, Constant::getNullValue(of),
                                    Twine(own_prefix) + name);
  hide(*global);
  return global;
}

Function* Hidden::function(const char* name, ArrayRef<Type*> parameters) {
  auto* made = Function::Create(FunctionType::get(builder.getVoidTy(), parameters, false),
                                GlobalValue::LinkOnceODRLinkage, Twine(own_prefix) + name, module);
  hide(*made);
  made->addFnAttr(Attribute::NoInline);
  made->addFnAttr(Attribute::NoUnwind);
  made->setUWTableKind(UWTableKind::Default);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", made));
  return made;
}

void Hidden::hide(GlobalObject& object) {
  object.setVisibility(GlobalValue::HiddenVisibility);
  object.setDSOLocal(true);
  object.setComdat(module.getOrInsertComdat(object.getName()));
}

Value* Hidden::read(GlobalVariable* of) {
  auto* value = builder.CreateAlignedLoad(pointer, of, Align(8));
  value->setAtomic(AtomicOrdering::Monotonic);
  return value;
}

void Hidden::write_to(GlobalVariable* where, Value* value) {
  builder.CreateAlignedStore(value, where, Align(8))->setAtomic(AtomicOrdering::Monotonic);
}

Function* Hidden::forwarder(const char* name, ArrayRef<Type*> parameters, GlobalVariable* target) {
  Function* made = function(name, parameters);
  auto* go = BasicBlock::Create(module.getContext(), "go", made);
  auto* done = BasicBlock::Create(module.getContext(), "done", made);
  Value* there = read(target);
  builder.CreateCondBr(builder.CreateIsNull(there), done, go);
  builder.SetInsertPoint(go);
  SmallVector<Value*, 4> arguments;
  for (Argument& argument : made->args()) arguments.push_back(&argument);
  builder.CreateCall(made->getFunctionType(), there, arguments);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return made;
}

}  // namespace lbhm::compiler
