#include "compiler/finder.h"

#include "compiler/section.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {

using namespace llvm;

FinderWriter::FinderWriter(Hidden& with, const char* name)
    : hidden(with), builder(with.builder), function(hidden.function(name, {})), done(block("done")) {}

BasicBlock* FinderWriter::block(const char* name) {
  return BasicBlock::Create(hidden.module.getContext(), name, function);
}

void FinderWriter::go_on_if(Value* condition, BasicBlock* otherwise) {
  BasicBlock* next = block("next");
  builder.CreateCondBr(condition, next, otherwise);
  builder.SetInsertPoint(next);
}

/// Weak: see begin_look_up.
void FinderWriter::begin_look_up() {
  auto* type = FunctionType::get(hidden.pointer, {hidden.pointer, hidden.pointer}, false);
  dlsym = dyn_cast<Function>(hidden.module.getOrInsertFunction("dlsym", type).getCallee());
  if (!dlsym) return go_on_if(builder.getFalse(), done);
  if (dlsym->isDeclaration()) dlsym->setLinkage(GlobalValue::ExternalWeakLinkage);
  go_on_if(builder.CreateIsNotNull(dlsym), done);
}

Value* FinderWriter::symbol(const char* name) {
  Value* null = ConstantPointerNull::get(hidden.pointer);
  if (!dlsym) return null;
  return builder.CreateCall(dlsym->getFunctionType(), dlsym, {null, builder.CreateGlobalString(name)});
}

void FinderWriter::give_section(Value* taker, const char* section, const char* given, ArrayRef<Value*> more) {
  GlobalVariable* remembers = hidden.variable(builder.getInt8Ty(), given);
  Constant* first = section_first(hidden.module, section);
  Constant* last = section_last(hidden.module, section);
  go_on_if(builder.CreateIsNotNull(taker), done);
  go_on_if(builder.CreateICmpNE(first, last), done);
  go_on_if(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), remembers)), done);
  builder.CreateStore(builder.getInt8(1), remembers);
  SmallVector<Value*, 4> arguments{first, last};
  arguments.append(more.begin(), more.end());
  SmallVector<Type*, 4> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  builder.CreateCall(FunctionType::get(builder.getVoidTy(), types, false), taker, arguments);
}

Function* FinderWriter::finish() {
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  appendToGlobalCtors(hidden.module, function, 0, function);
  return function;
}

}  // namespace lbhm::compiler
