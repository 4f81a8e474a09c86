#include "compiler/link/merged_symbols.h"

#include "compiler/link/buffer_symbols.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// Weak: a file without any part has no such symbol. MergedSymbols: each shared library has its own.
Constant* border(Module& module, const Twine& of) {
  std::string name = of.str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  auto* symbol = new GlobalVariable(module, Type::getInt32Ty(module.getContext()), true,
                                    GlobalValue::ExternalWeakLinkage, nullptr, name);
  symbol->setVisibility(GlobalValue::HiddenVisibility);
  return symbol;
}

}  // namespace

MergedSymbols::MergedSymbols(Module& target)
    : module(target), builder(target.getContext()), pointer(builder.getPtrTy()), word(builder.getInt64Ty()) {}

GlobalVariable* MergedSymbols::variable(Type* of, const char* name) {
  auto* global = new GlobalVariable(module, of, false, GlobalValue::LinkOnceODRLinkage, Constant::getNullValue(of),
                                    Twine(plugin_prefix) + name);
  hide(*global);
  return global;
}

Function* MergedSymbols::function(const char* name, ArrayRef<Type*> parameters) {
  auto* made = Function::Create(FunctionType::get(builder.getVoidTy(), parameters, false),
                                GlobalValue::LinkOnceODRLinkage, Twine(plugin_prefix) + name, module);
  hide(*made);
  made->addFnAttr(Attribute::NoInline);
  made->addFnAttr(Attribute::NoUnwind);
  made->setUWTableKind(UWTableKind::Default);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", made));
  return made;
}

void MergedSymbols::hide(GlobalObject& object) {
  object.setVisibility(GlobalValue::HiddenVisibility);
  object.setDSOLocal(true);
  object.setComdat(module.getOrInsertComdat(object.getName()));
}

Value* MergedSymbols::read(GlobalVariable* of) {
  auto* value = builder.CreateAlignedLoad(pointer, of, Align(8));
  value->setAtomic(AtomicOrdering::Monotonic);
  return value;
}

void MergedSymbols::write_to(GlobalVariable* where, Value* value) {
  builder.CreateAlignedStore(value, where, Align(8))->setAtomic(AtomicOrdering::Monotonic);
}

Function* MergedSymbols::forwarder(const char* name, ArrayRef<Type*> parameters, GlobalVariable* target) {
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

void add_to_section(Module& module, const char* section, Constant* part, Align alignment, const char* name) {
  auto* global = new GlobalVariable(module, part->getType(), true, GlobalValue::InternalLinkage, part,
                                    Twine(plugin_prefix) + name);
  global->setSection(section);
  global->setAlignment(alignment);
  appendToUsed(module, {global});
}

Constant* section_first(Module& module, const char* section) { return border(module, Twine("__start_") + section); }
Constant* section_last(Module& module, const char* section) { return border(module, Twine("__stop_") + section); }

}  // namespace lbhm::compiler
